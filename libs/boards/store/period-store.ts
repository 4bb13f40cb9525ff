// The periods of boards.
//
// Invariant: once a period has begun, its times never change, and after it is final nothing does. Its standings are
// those that its `rows` names; what a slow process writes under an earlier name is never read. The write that gives
// another name records the earlier one, so that its standings are deleted wherever a process ends.
import type { OutboxDoc } from "#audit/store/outbox-model.ts";
import { boardKey, type BoardDoc } from "#boards/store/board-model.ts";
import {
  discardRows,
  newPeriodDoc,
  newRows,
  periodKey,
  periodOfDoc,
  periodsOfBoard,
  type PeriodDoc,
} from "#boards/store/period-model.ts";
import { STANDING_ORDER, standingKey, type StandingDoc } from "#boards/store/standing-model.ts";
import { standingRange } from "#boards/store/standing-range.ts";
import type { Database } from "#mongo/database.ts";
import { FINAL_POSITIONS_KEPT, TOP_MEMBERS } from "#domain/board.ts";
import { periodIdOf } from "#domain/period.ts";
import type { PeriodResult, TopMember } from "#domain/event.ts";
import type { ClientSession } from "mongodb";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { transaction } from "#mongo/transaction.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { PeriodStore, StoredPeriod } from "#boards/ports.ts";

// oxlint-disable-next-line eslint/max-lines-per-function -- one function for each method of the port
export function makePeriodStore({ db }: Pick<Database, "db">): PeriodStore {
  const periods = () => db().collection<PeriodDoc>("periods");
  const boards = () => db().collection<BoardDoc>("boards");
  const standings = () => db().collection<StandingDoc>("standings");
  const first = async (filter: object, sort: 1 | -1): Promise<StoredPeriod | null> => {
    const doc = await periods().findOne(filter, { ...MAJORITY, sort: { _id: sort } });
    return doc && periodOfDoc(doc);
  };
  /** Unless another process has made it final or has discarded its standings. */
  const unchanged = ({ boardUid, periodId, rows }: StoredPeriod) => ({
    _id: periodKey(boardUid, periodId),
    rows,
    final: false,
  });

  /** They are written to, so that an erasure that deletes one of them comes before this transaction, or after it. */
  async function holdTop(
    rows: string,
    { previous, session }: { previous: StoredPeriod | null; session: ClientSession },
  ): Promise<TopMember[]> {
    const inOrder = { ...standingRange(rows, {}), session, sort: STANDING_ORDER, limit: TOP_MEMBERS };
    const top = await standings().find({}, inOrder).toArray();
    await standings().updateMany({ _id: { $in: top.map(({ _id }) => _id) } }, { $set: { top: true } }, { session });
    const before = previous
      ? await positionsIn(
          previous.rows,
          top.map(({ platformId }) => platformId),
          session,
        )
      : new Map<string, number>();
    return top.map(({ platformId, xp, position = 0, reachedAt }) => {
      return { platformId, xp, position, reachedAt, previousPosition: before.get(platformId) ?? null };
    });
  }

  /** Of those on the board. A period that settles for longer than the next one has no stored positions yet. */
  async function positionsIn(
    rows: string,
    platformIds: readonly string[],
    session: ClientSession,
  ): Promise<ReadonlyMap<string, number>> {
    const ids = platformIds.map((platformId) => standingKey(rows, platformId));
    const docs = await standings()
      .find({ _id: { $in: ids }, removed: { $exists: false } }, { session })
      .toArray();
    const positions = new Map<string, number>();
    for (const { platformId, position, xp } of docs) {
      const above = { rows, removed: { $exists: false }, xp: { $gt: xp } };
      const options = { session, hint: STANDING_ORDER };
      positions.set(platformId, position ?? 1 + (await standings().countDocuments(above, options)));
    }
    return positions;
  }

  return {
    listOpen: (ofBoards) =>
      read(async () => {
        const open = { boardUid: { $in: ofBoards.map(({ uid }) => uid) }, final: false };
        return (await periods().find(open, MAJORITY).sort({ startsAt: 1 }).toArray()).map(periodOfDoc);
      }),

    extend: (board, spans, { now, isCounted }) =>
      rewrite(async () => {
        const docs = spans.map((span) => newPeriodDoc(board, span, { now, isCounted, isSilent: false }));
        // In order: after one that another process has stored, perhaps by another schedule, none is stored.
        await periods()
          .insertMany(docs)
          .catch((error: unknown) => {
            if (!isDuplicateKey(error)) throw error;
          });
        const last = await first({ _id: periodsOfBoard(board.uid) }, -1);
        if (!last) return;
        const covered = { $max: { coveredTo: last.endsAt } };
        const { matchedCount } = await boards().updateOne({ uid: board.uid, _id: boardKey(board) }, covered);
        if (matchedCount > 0) return;
        // The board was removed meanwhile.
        const gone = { $set: { ...discardRows, final: true, removed: true } };
        await periods().updateMany({ _id: periodsOfBoard(board.uid), final: false }, [gone]);
      }),

    list: (boardUid, { limit, before, until }) =>
      read(async () => {
        const filter = { _id: periodsOfBoard(boardUid, before), startsAt: { $lte: until } };
        const docs = await periods().find(filter, MAJORITY).sort({ _id: -1 }).limit(limit).toArray();
        return docs.map(periodOfDoc);
      }),

    read: (boardUid, periodId) => read(() => first({ _id: periodKey(boardUid, periodId) }, 1)),

    newest: (boardUid, by) => {
      const time = "begun" in by ? { startsAt: { $lte: by.begun } } : { endsAt: { $lte: by.ended } };
      return read(() => first({ _id: periodsOfBoard(boardUid), ...time }, -1));
    },

    next: (boardUid, after) => {
      // Ids are in the order of their beginnings.
      const later = { $gt: periodKey(boardUid, periodIdOf(after)), $lt: periodsOfBoard(boardUid).$lt };
      return read(() => first({ _id: later }, 1));
    },

    noteCounted: (counted, countedAt) =>
      rewrite(async () => {
        for (const period of counted) await periods().updateOne(unchanged(period), { $set: { countedAt } });
      }),

    renew: (renewed) =>
      rewrite(async () => {
        for (const period of renewed) {
          const fresh = { ...discardRows, rows: newRows(), countedAt: null, begunAt: "$$NOW" };
          await periods().updateOne(unchanged(period), [{ $set: fresh }]);
        }
      }),

    beginFinal: (period) =>
      rewrite(async () => {
        const rows = newRows();
        const begun = { $push: { discarded: rows }, $currentDate: { discardedAt: true as const } };
        return (await periods().updateOne(unchanged(period), begun)).matchedCount === 0 ? null : rows;
      }),

    finish: (period, { clanId, rows, members, previous, result }) => {
      const { boardId, periodId, startsAt, endsAt, finalAt } = period;
      const trims = members > FINAL_POSITIONS_KEPT ? { trims: true } : {};
      return transaction({ db }, async (session) => {
        const finished = await periods().updateOne(
          { ...unchanged(period), discarded: rows },
          [
            { $set: { ...discardRows, rows, members, final: true, ...trims } },
            { $set: { discarded: { $setDifference: ["$discarded", [rows]] } } },
          ],
          { session },
        );
        if (finished.matchedCount === 0) return false;
        if (result === null) return true;
        const top = await holdTop(rows, { previous, session });
        const data: PeriodResult = { boardId, periodId, startsAt, endsAt, members, top, ...result };
        const noted = { clanId, at: finalAt, event: { type: "period.final", data } } as const;
        await db().collection<OutboxDoc>("outbox").insertOne(noted, { session });
        return true;
      });
    },
  };
}
