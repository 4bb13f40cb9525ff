// The collection of deletions: which clans are being deleted, and which were. A record stays, so that no other clan
// gets the id of a deleted one (docs/decisions/0056).
import { index } from "#mongo/collection.ts";

/** All times are MongoDB's. */
export type DeletionDoc = {
  /** The id of the clan. */
  _id: string;
  createdAt: Date;
  /** When a process last worked on it. */
  aliveAt: Date;
  /** When nothing of the clan was left. */
  finishedAt: Date | null;
  /** When a worker had searched once more, for what MongoDB executed late. */
  searchedAt: Date | null;
  /** The number of members, once it is final. */
  members: number | null;
  /** What other documents name instead of the clan. Removed with the last search. */
  keyIds?: string[];
  destinationIds?: string[];
};

export const DELETIONS = {
  name: "deletions",
  indexes: [
    // Those that a worker continues, or searches once more.
    index({ searchedAt: 1, createdAt: 1 }),
  ],
};
