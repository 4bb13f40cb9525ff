// The collection of the hours that were counted for the overview: its documents and its index.
import { Schema, type Connection, type Model } from "mongoose";
import { ACTIVITY_DAYS } from "#store/bounds.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

/** `quarter`: of an hour, from 0. Only those with an entry. */
export type QuarterDoc = SumsDoc & { quarter: number; awards: number; joined: number; takenBack?: TakenBackDoc[] };
/** `at`: the quarter of an hour of the awards. */
type TakenBackDoc = SumsDoc & { at: Date };
type SumsDoc = { xp: bigint; byHand: bigint; imported: bigint };

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

const SUMS = { xp: BigInt, byHand: BigInt, imported: BigInt } as const;
const takenBackSchema = new Schema<TakenBackDoc>({ at: Date, ...SUMS }, { _id: false });
const quarterSchema = new Schema<QuarterDoc>(
  {
    quarter: Number,
    awards: Number,
    joined: Number,
    takenBack: { type: [takenBackSchema], default: undefined },
    ...SUMS,
  },
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
// MongoDB deletes hours that are in no range any more.
activitySchema.index({ at: 1 }, { expireAfterSeconds: ACTIVITY_DAYS * 86_400 });

export function makeActivityModel(connection: Connection): Model<ActivityDoc> {
  return connection.model<ActivityDoc>("activity", activitySchema, "activity");
}
