// The collection of the hours that were counted for the overview: its documents and its index.
import { ACTIVITY_DAYS } from "#mongo/bounds.ts";
import { index } from "#mongo/collection.ts";

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

export const ACTIVITY = {
  name: "activity",
  indexes: [
    // MongoDB deletes hours that are in no range any more.
    index({ at: 1 }, { expireAfterSeconds: ACTIVITY_DAYS * 86_400 }),
  ],
};
