// The collection of periods: its documents, their conversion, and its indexes, each with the query that needs it.
import { ObjectId } from "mongodb";
import { periodIdOf, type Span } from "#domain/period.ts";
import { index } from "#mongo/collection.ts";
import { idsUnder } from "#mongo/ranges.ts";
import type { StoredBoard, StoredPeriod } from "#boards/ports.ts";

/** `_id`: "boardUid/periodId", so that a board's periods are in their order. */
export type PeriodDoc = Omit<StoredPeriod, "periodId" | "isFinal"> & {
  _id: string;
  clanId: string;
  final: boolean;
  /** It has standings that are deleted by age. */
  trims?: true;
  /** Names of standings that it does not have any more, or not yet: a worker deletes them (standing-upkeep.ts). */
  discarded?: string[];
  /** When the last of these was added. */
  discardedAt?: Date;
  /** Its board was removed. */
  removed?: true;
};

export const PERIODS = {
  name: "periods",
  indexes: [
    // Periods that a worker counts and makes final.
    index({ finalAt: 1 }, { partialFilterExpression: { final: false } }),
    // Final periods with standings that are deleted by age.
    index({ finalAt: 1, trims: 1 }, { partialFilterExpression: { trims: true } }),
    // Periods of a board that are not final.
    index({ boardUid: 1, startsAt: 1 }, { partialFilterExpression: { final: false } }),
    // Periods with standings that are deleted because they are not theirs.
    index({ discardedAt: 1 }, { partialFilterExpression: { discardedAt: { $exists: true } } }),
  ],
};

export function periodKey(boardUid: string, periodId: string): string {
  return `${boardUid}/${periodId}`;
}

/** All periods of a board, or those whose ids are lower. */
export function periodsOfBoard(boardUid: string, before: string | null = null) {
  return { ...idsUnder(boardUid), ...(before === null ? {} : { $lt: periodKey(boardUid, before) }) };
}

/** Names standings. Never used again. */
export function newRows(): string {
  return new ObjectId().toHexString();
}

/** What an update sets that gives a period other standings, or none. */
export const discardRows = {
  discarded: { $concatArrays: [{ $ifNull: ["$discarded", []] }, ["$rows"]] },
  discardedAt: "$$NOW",
};

/** `isSilent`: its end was before the board. `isCounted`: no entry is older than the board. */
export function newPeriodDoc(
  { clanId, boardId, uid }: Pick<StoredBoard, "clanId" | "boardId" | "uid">,
  span: Span,
  { now, isCounted, isSilent }: { now: Date; isCounted: boolean; isSilent: boolean },
): PeriodDoc {
  const { startsAt, endsAt, finalAt } = span;
  const fresh = { rows: newRows(), begunAt: now, countedAt: isCounted ? now : null, final: false, members: null };
  const _id = periodKey(uid, periodIdOf(startsAt));
  return { _id, clanId, boardUid: uid, boardId, startsAt, endsAt, finalAt, ...fresh, isSilent };
}

export function periodOfDoc(doc: PeriodDoc): StoredPeriod {
  const { boardUid, boardId, startsAt, endsAt, finalAt, rows, begunAt, countedAt, final, members, isSilent } = doc;
  const facts = { rows, begunAt, countedAt, members, isSilent };
  return { boardUid, boardId, periodId: periodIdOf(startsAt), startsAt, endsAt, finalAt, isFinal: final, ...facts };
}
