// The collection of standings: its documents, their conversion, and its indexes, each with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { Standing } from "#domain/standing.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";
import type { MemberStanding } from "#usecases/boards/ports.ts";

/** `_id`: "rows/platformId". `position`: in a final period alone. */
export type StandingDoc = Pick<Standing, "xp" | "awards" | "reachedAt" | "seq"> & {
  _id: string;
  rows: string;
  clanId: string;
  platformId: string;
  removed?: true;
  position?: number;
  /** It is in the event about the period. */
  top?: true;
};

const standingSchema = new Schema<StandingDoc>(
  {
    _id: { type: String, required: true },
    rows: { type: String, required: true },
    clanId: { type: String, required: true },
    platformId: { type: String, required: true },
    xp: { type: BigInt, required: true },
    awards: { type: Number, required: true },
    reachedAt: { type: Date, required: true },
    seq: { type: Number, required: true },
    removed: Boolean,
    position: Number,
    top: Boolean,
  },
  SCHEMA_OPTIONS,
);
// The order of a period: the members without `removed`.
export const STANDING_ORDER = { rows: 1, removed: 1, xp: -1, reachedAt: 1, platformId: 1 } as const;
standingSchema.index(STANDING_ORDER);
/** The same order from its end. */
export const STANDING_ORDER_UPWARDS = { rows: -1, removed: -1, xp: 1, reachedAt: -1, platformId: -1 } as const;
// Those of one member, for an erasure.
standingSchema.index({ platformId: 1, clanId: 1 });
// Those of a clan that is deleted.
standingSchema.index({ clanId: 1 });

export function standingKey(rows: string, platformId: string): string {
  return `${rows}/${platformId}`;
}

export function standingDoc(
  rows: string,
  { clanId, platformId }: { clanId: string; platformId: string },
  { xp, awards, reachedAt, seq, removed }: Standing,
): StandingDoc {
  const facts = { rows, clanId, platformId, xp, awards, reachedAt, seq };
  return { _id: standingKey(rows, platformId), ...facts, ...(removed ? { removed } : {}) };
}

export function standingOfDoc(doc: StandingDoc): MemberStanding {
  const { platformId, xp, awards, reachedAt, seq, removed = false, position = null } = doc;
  return { platformId, xp, awards, reachedAt, seq, removed, position };
}

export function makeStandingModel(connection: Connection): Model<StandingDoc> {
  return connection.model<StandingDoc>("standing", standingSchema, "standings");
}
