// Boards, as people make and change them.
//
// Invariant: while a clan has boards, its document says so: then the projection marks the members whose new entries
// boards have not counted (member-projection.ts).
import type { ClientSession } from "mongodb";
import { settlingMsOf } from "#domain/period.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { boardInAudit, boardKey, boardOfDoc, type BoardDoc } from "#boards/store/board-model.ts";
import { discardRows, newPeriodDoc, newRows, periodsOfBoard, type PeriodDoc } from "#boards/store/period-model.ts";
import type { Database } from "#mongo/database.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { mongoTimeAgo } from "#mongo/mongo-time.ts";
import { idsUnder } from "#mongo/ranges.ts";
import type { BoardStore, ClanBoards, StoredBoard } from "#boards/ports.ts";

// oxlint-disable-next-line eslint/max-lines-per-function -- one function for each method of the port
export function makeBoardStore(database: Pick<Database, "db">): BoardStore {
  const { db } = database;
  const audited = makeAudited(database);
  const boards = () => db().collection<BoardDoc>("boards");
  const periods = () => db().collection<PeriodDoc>("periods");
  const clans = () => db().collection<{ _id: string; hasBoards?: true; rev: number }>("clans");

  async function boardsOf(clanId: string, session?: ClientSession): Promise<ClanBoards["boards"]> {
    const options = session ? { session } : MAJORITY;
    const found = boards().find({ _id: idsUnder(clanId) }, options);
    return (await found.sort({ _id: 1 }).toArray()).map(boardOfDoc);
  }

  /** Periods that have not begun settle as the board does now. */
  async function settleUpcoming({ uid, settleMs }: StoredBoard, now: Date, session: ClientSession): Promise<void> {
    const upcoming = { _id: periodsOfBoard(uid), startsAt: { $gt: now } };
    const finalAt = { $add: ["$endsAt", settlingMsOf(settleMs)] };
    await periods().updateMany(upcoming, [{ $set: { finalAt } }], { session });
  }

  return {
    read: (clanId) =>
      read(async () => {
        const now = await mongoTimeAgo({ db }, 0);
        const found = await boardsOf(clanId);
        const isClan = found.length > 0 || (await clans().findOne({ _id: clanId }, { projection: { _id: 1 } }));
        return isClan ? { boards: found, now } : null;
      }),

    async change({ clanId, boardId }, decide, by) {
      const now = await read(() => mongoTimeAgo({ db }, 0));
      return audited(by, async (session, note) => {
        const clan = await clans().findOneAndUpdate({ _id: clanId }, { $inc: { rev: 1 } }, { session });
        if (!clan) return null;
        const all = await boardsOf(clanId, session);
        const board = all.find((one) => one.boardId === boardId) ?? null;
        const isSeasons = board?.schedule.every === "season";
        const seasons = isSeasons
          ? await periods()
              .find({ _id: periodsOfBoard(board.uid) }, { session })
              .toArray()
          : [];
        const change = decide({ boards: all, now, board, seasons });
        if ("rejected" in change) return change;
        const { name, schedule, settleMs } = change.board;
        const facts = { name, schedule, settleMs, coveredTo: change.coveredTo };
        const fresh = { clanId, boardId, uid: newRows(), createdAt: now, asOf: now };
        const next = { ...(board ?? fresh), ...facts };
        await boards().replaceOne({ _id: boardKey(next) }, next, { session, upsert: true });
        if (board && board.settleMs !== settleMs) await settleUpcoming(next, now, session);
        if (!clan.hasBoards) await clans().updateOne({ _id: clanId }, { $set: { hasBoards: true } }, { session });
        const docs = change.spans.map((span) =>
          newPeriodDoc(next, span, { now, isCounted: false, isSilent: span.finalAt <= now }),
        );
        if (docs.length > 0) await periods().insertMany(docs, { session });
        const { action, spans } = change;
        const [before, after] =
          action === "board.season"
            ? [null, { seasons: spans.map(({ startsAt, endsAt }) => ({ startsAt, endsAt })) }]
            : [board && boardInAudit(board), boardInAudit(next)];
        await note({ action, clanId, target: boardId, before, after });
        return next;
      });
    },

    remove: ({ clanId, boardId }, by) =>
      audited(by, async (session, note) => {
        const doc = await boards().findOneAndDelete({ _id: boardKey({ clanId, boardId }) }, { session });
        if (!doc) return null;
        const removed = boardOfDoc(doc);
        // Nobody reads them without their board. A worker deletes their standings, then them.
        const gone = { $set: { ...discardRows, final: true, removed: true } };
        await periods().updateMany({ _id: periodsOfBoard(removed.uid) }, [gone, { $unset: "trims" }], { session });
        const isLast = (await boardsOf(clanId, session)).length === 0;
        const unset = isLast ? { $unset: { hasBoards: 1 as const } } : {};
        await clans().updateOne({ _id: clanId }, { $inc: { rev: 1 }, ...unset }, { session });
        await note({ action: "board.remove", clanId, target: boardId, before: boardInAudit(removed), after: null });
        return removed;
      }),

    noteAsOf: (counted, asOf) =>
      rewrite(async () => {
        const ids = counted.map(boardKey);
        if (ids.length > 0)
          await boards().updateMany({ _id: { $in: ids } }, { $max: { asOf } }, { writeConcern: { w: "majority" } });
      }),

    clansDue: () =>
      read(async () => {
        const now = await mongoTimeAgo({ db }, 0);
        const [begun, open] = await Promise.all([
          boards().distinct("clanId", { coveredTo: { $ne: null, $lte: now } }),
          periods().distinct("clanId", { final: false, $or: [{ finalAt: { $lte: now } }, { countedAt: null }] }),
        ]);
        return [...new Set([...begun, ...open])];
      }),
  };
}
