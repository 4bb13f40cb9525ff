// The collection of counted gains: its documents and its indexes, each with the query that needs it. It holds counts,
// the parts of their lists, and for each clan which process may count.
import { index } from "#mongo/collection.ts";

/** `xp` may have more than 64 bits. `since`: of the membership, if there is one. */
export type GainRowDoc = {
  platformId: string;
  xp: string;
  awards: number;
  position: number;
  since: Date | null;
  first: Date;
  last: Date;
};

export type GainDoc = {
  /** Of a count its id; of a part "countId/000012"; of a claim "claim/clanId". */
  _id: string;
  clanId: string;
  expiresAt: Date;
  /** Only in a count. */
  from?: Date;
  to?: Date;
  asOf?: Date;
  tookMs?: number;
  totals?: { members: number; awards: number; xp: string } | null;
  /** Only in a part of a list: null for a member who was erased. */
  members?: (GainRowDoc | null)[];
  /** Only in a claim. */
  holder?: string;
  claimedUntil?: Date;
};

export const BY_SPAN = { clanId: 1, from: 1, to: 1, asOf: -1 } as const;

export const GAINS = {
  name: "gains",
  indexes: [
    // The newest count of a span, and all of a clan that is deleted.
    index(BY_SPAN),
    // Members in a list, and all of a person who is erased.
    index({ "members.platformId": 1, _id: 1 }),
    // MongoDB deletes what has expired.
    index({ expiresAt: 1 }, { expireAfterSeconds: 0 }),
  ],
};
