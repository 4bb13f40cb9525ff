// The collection of standings: its documents, their conversion, and its indexes, each with the query that needs it.
import type { Standing } from "#domain/standing.ts";
import { index } from "#mongo/collection.ts";
import type { MemberStanding } from "#boards/ports.ts";

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

export const STANDING_ORDER = { rows: 1, removed: 1, xp: -1, reachedAt: 1, platformId: 1 } as const;
/** The same order from its end. */
export const STANDING_ORDER_UPWARDS = { rows: -1, removed: -1, xp: 1, reachedAt: -1, platformId: -1 } as const;

export const STANDINGS = {
  name: "standings",
  indexes: [
    // The order of a period: the members without `removed`.
    index(STANDING_ORDER),
    // Those of one member, for an erasure.
    index({ platformId: 1, clanId: 1 }),
    // Those of a clan that is deleted.
    index({ clanId: 1 }),
  ],
};

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
