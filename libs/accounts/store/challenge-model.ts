// The collection of challenges: its documents and its index.
import { index } from "#mongo/collection.ts";
import type { ChallengeKind } from "#accounts/ports.ts";

/**
 * A challenge for a person. Only the digest of their cookie's text is stored; the challenge is derived from that text.
 */
export type ChallengeDoc = { _id: string; kind: ChallengeKind; accountName: string | null; expiresAt: Date };

export const CHALLENGES = {
  name: "sign_in_challenges",
  indexes: [index({ expiresAt: 1 }, { expireAfterSeconds: 0 })],
};
