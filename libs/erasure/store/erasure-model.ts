// The collection of erasures: which members are being erased, and which were.
import { index } from "#mongo/collection.ts";

/** `clanId` null: of every clan. The platform ID is stored only while the erasure is unfinished. */
export type ErasureDoc = {
  _id: string;
  clanId: string | null;
  platformId?: string;
  /** Clans in which it closed the member's chain. */
  fenced?: string[];
  createdAt: Date;
  /** When a process last worked on it. */
  aliveAt?: Date;
  finishedAt: Date | null;
  counts?: Readonly<Record<string, number>>;
  /** A later erasure of the same target replaced this one, and erases the rest. */
  replacedBy?: string;
};

export const ERASURES = {
  name: "erasures",
  indexes: [
    // The unfinished ones, oldest first, for the workers that resume them and for the metrics.
    index({ finishedAt: 1, createdAt: 1 }),
  ],
};
