// The collection of erasures: which members are being erased, and which were.
import { Schema, type Connection, type Model } from "mongoose";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

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

const erasureSchema = new Schema<ErasureDoc>(
  {
    _id: { type: String, required: true },
    clanId: String,
    platformId: String,
    fenced: { type: [String], default: undefined },
    createdAt: { type: Date, required: true },
    aliveAt: Date,
    finishedAt: Date,
    counts: Schema.Types.Mixed,
    replacedBy: String,
  },
  SCHEMA_OPTIONS,
);
// The unfinished ones, oldest first, for the workers that resume them and for the metrics.
erasureSchema.index({ finishedAt: 1, createdAt: 1 });

export function makeErasureModel(connection: Connection): Model<ErasureDoc> {
  return connection.model<ErasureDoc>("erasure", erasureSchema, "erasures");
}
