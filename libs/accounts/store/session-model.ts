// The collection of sessions: its documents and its index.
import { index } from "#mongo/collection.ts";

export type SessionDoc = {
  /** A digest: it cannot be used to sign in. */
  _id: string;
  accountName: string;
  generation: number;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
};

export const SESSIONS = {
  name: "sessions",
  indexes: [
    // MongoDB removes expired sessions, including the ended ones. Whether a session is live never depends on that.
    index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
  ],
};
