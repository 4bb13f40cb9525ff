// The collection of deletions: which clans are being deleted, and which were. A record stays, so that no other clan
// gets the id of a deleted one (docs/decisions/0056).
import { Schema, type Connection, type Model } from "mongoose";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

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

const deletionSchema = new Schema<DeletionDoc>(
  {
    _id: { type: String, required: true },
    createdAt: { type: Date, required: true },
    aliveAt: { type: Date, required: true },
    finishedAt: Date,
    searchedAt: Date,
    members: Number,
    keyIds: { type: [String], default: undefined },
    destinationIds: { type: [String], default: undefined },
  },
  SCHEMA_OPTIONS,
);
// Those that a worker continues, or searches once more.
deletionSchema.index({ searchedAt: 1, createdAt: 1 });

export function makeDeletionModel(connection: Connection): Model<DeletionDoc> {
  return connection.model<DeletionDoc>("deletion", deletionSchema, "deletions");
}
