// The collection of the hours that were counted for the overview: its documents and its index.
import { Schema, type Connection, type Model } from "mongoose";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

/** `quarter`: of an hour, from 0. Only those with an entry. */
export type QuarterDoc = { quarter: number; awards: number; xp: bigint; joined: number };

/**
 * An hour, or the clan's present generation, in the document without an hour. Hours of another generation do not count.
 */
export type ActivityDoc = {
  _id: { clanId: string; hour: Date | null };
  generation: string;
  quarters?: QuarterDoc[];
  /** The hour once more, by which MongoDB deletes the document. */
  at?: Date;
};

const quarterSchema = new Schema<QuarterDoc>(
  { quarter: Number, awards: Number, xp: BigInt, joined: Number },
  { _id: false },
);
const activitySchema = new Schema<ActivityDoc>(
  {
    _id: { type: new Schema({ clanId: String, hour: Date }, { _id: false }), required: true },
    generation: { type: String, required: true },
    quarters: { type: [quarterSchema], default: undefined },
    at: Date,
  },
  SCHEMA_OPTIONS,
);
// MongoDB deletes hours that are in no range any more: the longest one and the one before it have 60 days.
activitySchema.index({ at: 1 }, { expireAfterSeconds: 62 * 86_400 });

export function makeActivityModel(connection: Connection): Model<ActivityDoc> {
  return connection.model<ActivityDoc>("activity", activitySchema, "activity");
}
