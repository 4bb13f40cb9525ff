// The stores of boards in memory, of one clan: its ledger, its members' documents, and all that boards keep. One suite
// holds it to MongoDB's stores (test/libs/boards/store/board-stores.test.ts).
import type { PeriodSummary } from "#domain/event.ts";
import { finalAtOf, periodIdOf } from "#domain/period.ts";
import type {
  BoardStore,
  MemberStanding,
  PeriodStore,
  StandingPlace,
  StandingStore,
  StandingUpkeep,
  StoredBoard,
  StoredPeriod,
} from "#boards/ports.ts";
import { makeFakeLedger } from "./fake-ledger.ts";

export type FakePeriod = StoredPeriod & { discarded: string[]; discardedAt: Date | null; removed: boolean };
export type FinalNote = {
  rows: string;
  periodId: string;
  boardUid: string;
  members: number;
  top: string[];
  summary: PeriodSummary;
};

export type FakeBoards = ReturnType<typeof makeFakeBoards>;

export function makeFakeBoards(clanId: string, nowOf: () => Date) {
  const ledger = makeFakeLedger(clanId);
  const boards = new Map<string, StoredBoard>();
  const periods = new Map<string, FakePeriod>();
  const standings = new Map<string, MemberStanding & { rows: string }>();
  const notes: FinalNote[] = [];
  let names = 0;
  const newName = (): string => `n${(names += 1)}`;
  const isOpen = (): boolean => boards.size > 0;
  const keyOf = (uid: string, periodId: string): string => `${uid}/${periodId}`;
  const periodsOf = (uid: string): FakePeriod[] =>
    [...periods.values()]
      .filter(({ boardUid }) => boardUid === uid)
      .toSorted((a, b) => (a.periodId < b.periodId ? -1 : 1));
  /** Unless another process has made it final or has discarded its standings. */
  const same = ({ boardUid, periodId, rows }: StoredPeriod): FakePeriod | null => {
    const period = periods.get(keyOf(boardUid, periodId));
    return period && period.rows === rows && !period.isFinal ? period : null;
  };
  const rowsOf = (rows: string) => [...standings.values()].filter((one) => one.rows === rows);

  function discard(period: FakePeriod): void {
    period.discarded.push(period.rows);
    period.discardedAt = nowOf();
  }

  function addPeriod(
    { boardId, uid }: StoredBoard,
    span: { startsAt: Date; endsAt: Date; finalAt: Date },
    { now, isCounted, isSilent }: { now: Date; isCounted: boolean; isSilent: boolean },
  ): boolean {
    const periodId = periodIdOf(span.startsAt);
    if (periods.has(keyOf(uid, periodId))) return false;
    const facts = { rows: newName(), begunAt: now, countedAt: isCounted ? now : null, members: null, isSilent };
    const own = { discarded: [], discardedAt: null, removed: false };
    const { startsAt, endsAt, finalAt } = span;
    const times = { startsAt, endsAt, finalAt };
    periods.set(keyOf(uid, periodId), { boardUid: uid, boardId, periodId, ...times, isFinal: false, ...facts, ...own });
    return true;
  }

  const boardStore: Pick<BoardStore, "read" | "change" | "remove" | "noteAsOf" | "clansDue"> = {
    read: async () => ({ boards: [...boards.values()].toSorted(byBoardId), now: nowOf() }),
    async change({ boardId }, decide) {
      const [now, board] = [nowOf(), boards.get(boardId) ?? null];
      const seasons = board?.schedule.every === "season" ? periodsOf(board.uid) : [];
      const change = decide({ boards: [...boards.values()], now, board, seasons });
      if ("rejected" in change) return change;
      const { name, schedule, settleMs } = change.board;
      const fresh = { clanId, boardId, uid: newName(), createdAt: now, asOf: now };
      const next: StoredBoard = { ...(board ?? fresh), name, schedule, settleMs, coveredTo: change.coveredTo };
      boards.set(boardId, next);
      if (board && board.settleMs !== settleMs)
        for (const period of periodsOf(board.uid))
          if (period.startsAt > now) period.finalAt = finalAtOf(period.endsAt, settleMs);
      for (const span of change.spans)
        if (!addPeriod(next, span, { now, isCounted: false, isSilent: span.finalAt <= now })) throw new Error("twice");
      return next;
    },
    async remove({ boardId }) {
      const board = boards.get(boardId) ?? null;
      boards.delete(boardId);
      for (const period of board ? periodsOf(board.uid) : []) {
        discard(period);
        Object.assign(period, { isFinal: true, removed: true });
      }
      return board;
    },
    async noteAsOf(refs, asOf) {
      for (const { boardId } of refs) {
        const board = boards.get(boardId);
        if (board && board.asOf < asOf) boards.set(boardId, { ...board, asOf });
      }
    },
    async clansDue() {
      const now = nowOf();
      const isDue =
        [...boards.values()].some(({ coveredTo }) => coveredTo !== null && coveredTo <= now) ||
        [...periods.values()].some(({ isFinal, finalAt, countedAt }) => !isFinal && (finalAt <= now || !countedAt));
      return isDue ? [clanId] : [];
    },
  };

  const periodStore: PeriodStore = {
    async listOpen(ofBoards) {
      const open = ofBoards.flatMap(({ uid }) => periodsOf(uid)).filter(({ isFinal }) => !isFinal);
      return open.map(stored).toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
    },
    async extend(board, spans, options) {
      for (const span of spans) if (!addPeriod(board, span, { ...options, isSilent: false })) break;
      const [last, now] = [periodsOf(board.uid).at(-1), boards.get(board.boardId)];
      if (last && now?.uid === board.uid && now.coveredTo && now.coveredTo < last.endsAt)
        boards.set(board.boardId, { ...now, coveredTo: last.endsAt });
      if (now?.uid === board.uid) return;
      for (const period of periodsOf(board.uid).filter(({ isFinal }) => !isFinal)) {
        discard(period);
        Object.assign(period, { isFinal: true, removed: true });
      }
    },
    list: async (uid, { limit, before, until }) =>
      periodsOf(uid)
        .filter(({ periodId, startsAt }) => (before === null || periodId < before) && startsAt <= until)
        .toReversed()
        .slice(0, limit)
        .map(stored),
    async read(uid, periodId) {
      const period = periods.get(keyOf(uid, periodId));
      return period ? stored(period) : null;
    },
    async newest(uid, by) {
      const isBefore = (one: FakePeriod): boolean =>
        "begun" in by ? one.startsAt <= by.begun : one.endsAt <= by.ended;
      const period = periodsOf(uid).findLast(isBefore);
      return period ? stored(period) : null;
    },
    async next(uid, after) {
      const period = periodsOf(uid).find(({ startsAt }) => startsAt > after);
      return period ? stored(period) : null;
    },
    async noteCounted(open, countedAt) {
      for (const period of open) Object.assign(same(period) ?? {}, { countedAt });
    },
    async renew(renewed) {
      for (const one of renewed) {
        const period = same(one);
        if (!period) continue;
        discard(period);
        Object.assign(period, { rows: newName(), countedAt: null, begunAt: nowOf() });
      }
    },
    async beginFinal(one) {
      const [period, rows] = [same(one), newName()];
      if (!period) return null;
      period.discarded.push(rows);
      period.discardedAt = nowOf();
      return rows;
    },
    async finish(one, { rows, members: count, result }) {
      const period = same(one);
      if (!period?.discarded.includes(rows)) return false;
      discard(period);
      const discarded = period.discarded.filter((name) => name !== rows);
      Object.assign(period, { rows, members: count, isFinal: true, discarded });
      const top = ordered(rows, 10).map(({ platformId }) => platformId);
      const { periodId, boardUid } = period;
      if (result) notes.push({ rows, periodId, boardUid, members: count, top, summary: result.summary });
      return true;
    },
  };

  function ordered(rows: string, limit: number, after: StandingPlace | null = null): MemberStanding[] {
    return rowsOf(rows)
      .filter(({ removed }) => !removed)
      .toSorted(byPlace)
      .filter((one) => after === null || byPlace(one, after) > 0)
      .slice(0, limit)
      .map(standingOf);
  }

  const standingStore: Omit<StandingStore, "listAround" | "listMembers"> = {
    async read(asked) {
      const found = asked.flatMap(({ rows, platformId }) => standings.get(`${rows}/${platformId}`) ?? []);
      const byMember = Map.groupBy(found, ({ platformId }) => platformId);
      return new Map([...byMember].map(([id, own]) => [id, new Map(own.map((one) => [one.rows, standingOf(one)]))]));
    },
    async write(writes, { isWhole }) {
      for (const { rows, member, standing } of writes) {
        const { platformId } = member;
        const last = standings.get(`${rows}/${platformId}`)?.seq ?? -1;
        if (last < standing.seq || (isWhole && last === standing.seq))
          standings.set(`${rows}/${platformId}`, { ...standing, rows, platformId, position: null });
      }
    },
    async list(rows, { limit, after }) {
      const found = ordered(rows, limit + 1, after);
      const [items, last] = [found.slice(0, limit), found[limit - 1]];
      const next = found.length > limit && last ? last : null;
      return { items, next: next && { xp: next.xp, reachedAt: next.reachedAt, platformId: next.platformId } };
    },
    async sum(rows) {
      const all = rowsOf(rows);
      const awards = all.reduce((sum, one) => sum + one.awards, 0);
      return { awards, xp: all.reduce((sum, one) => sum + one.xp, 0n) };
    },
    async insertFinal(rows, _, copied) {
      for (const one of copied) standings.set(`${rows}/${one.platformId}`, { ...one, rows });
    },
  };

  const upkeep: Pick<StandingUpkeep, "deleteDiscarded"> = {
    async deleteDiscarded(olderThanMs) {
      const before = standings.size;
      for (const [key, period] of periods) {
        if (!period.discardedAt || nowOf().getTime() - period.discardedAt.getTime() <= olderThanMs) continue;
        for (const rows of period.discarded)
          for (const { platformId } of rowsOf(rows)) standings.delete(`${rows}/${platformId}`);
        if (period.removed) periods.delete(key);
        Object.assign(period, { discarded: [], discardedAt: null });
      }
      return before - standings.size;
    },
  };

  return {
    ...ledger,
    clanId,
    periods,
    standings,
    notes,
    boards: boardStore,
    storedBoards: boards,
    periodStore,
    standingStore,
    upkeep,
    isOpen,
    rowsOf,
    eraseStandings(platformId: string): boolean {
      const before = standings.size;
      for (const [key, one] of standings) if (one.platformId === platformId) standings.delete(key);
      return standings.size < before;
    },
  };
}

function byBoardId(a: StoredBoard, b: StoredBoard): number {
  return a.boardId < b.boardId ? -1 : 1;
}

function byPlace(a: StandingPlace, b: StandingPlace): number {
  if (a.xp !== b.xp) return a.xp > b.xp ? -1 : 1;
  const ms = a.reachedAt.getTime() - b.reachedAt.getTime();
  return ms || (a.platformId === b.platformId ? 0 : a.platformId < b.platformId ? -1 : 1);
}

function stored({ discarded: _discarded, discardedAt: _at, removed: _removed, ...period }: FakePeriod): StoredPeriod {
  return period;
}

function standingOf({ rows: _rows, ...standing }: MemberStanding & { rows: string }): MemberStanding {
  return standing;
}
