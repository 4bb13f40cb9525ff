// The collection of attempts to sign in: its documents and its index.
import { index } from "#mongo/collection.ts";

/** The number of attempts to sign in to an account, or from an address, in the current window. */
export type AttemptDoc = { _id: string; count: number; expiresAt: Date };

export const ATTEMPTS = {
  name: "sign_in_attempts",
  indexes: [index({ expiresAt: 1 }, { expireAfterSeconds: 0 })],
};
