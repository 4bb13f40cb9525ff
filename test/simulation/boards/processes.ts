// The processes of a history of boards: those that award and project, and those that count. Each may be slow, fail, or
// end at any call.
import { AppError } from "#kernel/app-error.ts";
import { UNREPORTED_MS } from "#boards/bounds.ts";
import { makeCatchUpBoards, type CatchUpBoards } from "#boards/catch-up.ts";
import { makeCountAnew } from "#boards/count-anew.ts";
import { makeCountFromLedger } from "#boards/count-from-ledger.ts";
import { makeCountMembers } from "#boards/count-members.ts";
import { makeFinishPeriods } from "#boards/finish-periods.ts";
import { makeReadOpenPeriods } from "#boards/open-periods.ts";
import { makeRebuildBoards, type RebuildBoards } from "#boards/rebuild-boards.ts";
import { makeAddSeason, makeSetBoard } from "#boards/set-board.ts";
import type { Log } from "#kernel/log.ts";
import type { Chance } from "../../support/chance.ts";
import type { FakeBoards } from "./fake-boards.ts";
import type { FakeEntry } from "./fake-ledger.ts";
import type { Turns } from "./turns.ts";

export type World = {
  fake: FakeBoards;
  turns: Turns;
  chance: Chance;
  isOver: () => boolean;
  /** Called while standings of these members are being written and arrive late, by this method. */
  whileWriting: (method: string, platformIds: readonly string[]) => void;
  log: Log;
};

/** Entries that a count holds of one clan; a chain may be longer. */
const ENTRIES_HELD_MAX = 24;
const MARKS_AGE_MAX_MS = 3_000;
const MARGIN_MS = 60_000;
const LATE_MS_MAX = 5_000;
const LATE_NOTED_MS = 30_000;
const WRITES = new Set(["write", "insertFinal", "settle"]);
const WRITE_MS_MAX = 1_400;

/** The calls of one process. After its end, none returns. */
function callsOf({ turns, chance, isOver, whileWriting }: World) {
  const state = { isAlive: true, ended: Promise.withResolvers<void>() };
  const failure = new AppError("unavailable", "made up", { cause: "made up" });
  /** `slowMs`: how late it arrives; its response may be later. */
  async function call<T>(operation: () => Promise<T>, slowMs = chance.hits(0.01) ? chance.int(500, 8_000) : 0) {
    if (!isOver() && slowMs > 0) await turns.sleep(slowMs);
    else if (!isOver() && chance.hits(0.1)) await turns.sleep(chance.int(1, 200));
    await turns.turn();
    if (!state.isAlive) await new Promise<never>(() => {});
    if (!isOver() && chance.hits(0.01)) throw failure;
    const result = await operation();
    if (!isOver() && chance.hits(0.01)) await turns.sleep(chance.int(500, 8_000));
    else if (chance.hits(0.2)) await turns.turn();
    if (!state.isAlive) await new Promise<never>(() => {});
    if (!isOver() && chance.hits(0.01)) throw failure;
    return result;
  }
  /** An erasure waits for these writes if they arrive late. */
  function lateOf(method: string, args: unknown[]): number {
    if (!chance.hits(method === "insertFinal" ? 0.2 : 0.04)) return 0;
    whileWriting(method, membersOf(args.find(Array.isArray)));
    return chance.int(500, WRITE_MS_MAX);
  }
  /** The same store, each of whose methods is a call. */
  function on<Store extends object>(store: Store): Store {
    const methods = Object.entries(store).map(([name, method]) => [
      name,
      (...args: unknown[]) =>
        call(
          async () => (method as (...all: unknown[]) => unknown)(...args),
          WRITES.has(name) ? lateOf(name, args) : undefined,
        ),
    ]);
    return Object.fromEntries(methods) as Store;
  }
  return { state, call, on };
}

/** Of what a call writes. */
function membersOf(written: unknown): string[] {
  const rows = written as readonly { platformId?: string; member?: { platformId: string } }[];
  return rows.map(({ platformId, member }) => member?.platformId ?? platformId ?? "");
}

export type Counter = {
  catchUp: CatchUpBoards;
  rebuild: RebuildBoards;
  set: ReturnType<typeof makeSetBoard>;
  season: ReturnType<typeof makeAddSeason>;
  remove(boardId: string): Promise<void>;
  /** Sets these members' documents to what the ledger says, as a list does and `clanxp rebuild`. */
  rebuildThese(members: readonly { platformId: string }[]): Promise<number>;
  kill(): void;
  ended: Promise<void>;
};

/** Each part of the product that counts, on stores whose calls may fail. */
export function makeCounter(world: World, awarders: () => readonly Awarder[], restoredAt: () => Date | null): Counter {
  const { fake, turns, log } = world;
  const { state, call, on } = callsOf(world);
  const boards = on(fake.boards) as never as Parameters<typeof makeSetBoard>[0]["boards"] & typeof fake.boards;
  const periods = on(fake.periodStore);
  const clock = { agingMs: turns.nowMs };
  const all = on(fake.standingStore);
  // In small pages.
  const standings: typeof all = {
    ...all,
    list: (rows, page) => all.list(rows, { ...page, limit: Math.min(page.limit, 2) }),
  };
  const entries = on(fake.entries);
  const reader = {
    async *listChanged(_: readonly string[], since: Date) {
      const pages = fake.reader.listChanged([fake.clanId], since)[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await call(() => pages.next());
        if (done) return;
        yield value;
      }
    },
  };
  async function rebuildThese(members: readonly { platformId: string }[]): Promise<number> {
    for (const { platformId } of members) {
      const marks = await readMarks(world, call);
      await call(async () => marks.isRecent() && fake.rebuild(platformId, marks.marked));
    }
    return 0;
  }
  const processes = { listNotes: () => call(async () => awarders().flatMap((one) => one.note() ?? [])) };
  const clans = { read: async () => new Map() };
  const countChanges = async () => ({ joined: 0, left: 0, rose: 0, fell: 0 });
  const readOpenPeriods = makeReadOpenPeriods({ boards, periods });
  const common = { readOpenPeriods, boards, periods, reader, clock, log };
  const countAnew = makeCountAnew({ entries, standings: all, clock, entriesMax: ENTRIES_HELD_MAX });
  const catchUp = makeCatchUpBoards({
    ...common,
    count: makeCountMembers({ readOpenPeriods, entries, standings: all, clock, entriesMax: 6 }),
    countFromLedger: makeCountFromLedger({ ...common, countAnew, pauseFor: turns.sleep }),
    finish: makeFinishPeriods({ ...common, processes, rebuildThese, standings, clans, countChanges }),
    restoredAt: () => call(async () => restoredAt()),
    async project() {
      const alive = awarders().filter((one) => one.isAlive());
      const replies = alive.map((one) => Promise.race([one.project().then(...settled), one.ended.then(() => false)]));
      return (await Promise.all(replies)).every(Boolean);
    },
  });
  return {
    catchUp,
    rebuild: makeRebuildBoards({ readOpenPeriods, periods, catchUp }),
    set: makeSetBoard({ boards, readOpenPeriods }),
    season: makeAddSeason({ boards, readOpenPeriods }),
    remove: async (boardId) => void (await boards.remove({ clanId: fake.clanId, boardId }, { actor: "ada" } as never)),
    rebuildThese,
    kill() {
      state.isAlive = false;
      state.ended.resolve();
    },
    ended: state.ended.promise,
  };
}

const settled = [() => true, () => false] as const;

/** Whether the clan has boards, as a process knows it just before it writes. */
async function readMarks({ fake, turns }: World, call: <T>(operation: () => Promise<T>) => Promise<T>) {
  const readMs = turns.nowMs();
  const marked = await call(async () => fake.isOpen());
  return { marked, isRecent: () => turns.nowMs() - readMs <= MARKS_AGE_MAX_MS };
}

type Note = { projectedTo: Date; seenAt: Date; silentMs: number; passes: number };
export type Awarder = {
  /** Commits this, perhaps late. Null: the member is being erased. */
  commit(platformId: string, entry: Pick<FakeEntry, "applied" | "removed" | "what" | "reversesSeq">): Promise<void>;
  project(): Promise<void>;
  /** Every head is projected: recorded. */
  record(): Promise<void>;
  /** The last record. Null: the process never had one, or a worker has finished it. */
  note(): Note | null;
  isAlive(): boolean;
  /** A backup was restored: what it has of later entries is gone. */
  goBack(): void;
  /** It has a head of this member that is not projected for longer than one may wait, or had one when it ended. */
  isLate(platformId: string): boolean;
  kill(): void;
  ended: Promise<void>;
  /** As a worker does for a process that is silent. */
  recover(): Promise<void>;
};

export function makeAwarder(world: World, skewMs: number): Awarder {
  const { fake, turns, chance, isOver } = world;
  const { state, call } = callsOf(world);
  const heads = new Map<string, { seq: number; sinceMs: number }>();
  /** Until when members count as late who were: what was noted meanwhile stays. */
  const lateUntil = new Map<string, number>();
  let passes = 0;
  const nowOf = (): Date => new Date(turns.nowMs() + skewMs);
  let last = { projectedTo: new Date(nowOf().getTime() - MARGIN_MS), seenMs: turns.nowMs() };

  /** Not one of before an erasure or a restored backup, whose epoch was another one. */
  const hasEntry = (platformId: string, seq: number): boolean =>
    fake.chains.get(platformId)?.some((entry) => entry.seq === seq && !entry.erasing) ?? false;

  const reversedBy = (platformId: string, { reversesSeq }: Pick<FakeEntry, "reversesSeq">): FakeEntry | undefined =>
    fake.chains.get(platformId)?.find(({ seq }) => seq === reversesSeq);

  async function project(): Promise<void> {
    for (const [platformId, { seq, sinceMs }] of heads) {
      const marks = await readMarks(world, call);
      const isDone = await call(async () => {
        if (!marks.isRecent()) return false;
        if (hasEntry(platformId, seq)) fake.project(platformId, seq, marks.marked);
        return true;
      });
      if (!isDone) throw new AppError("unavailable", "clans were read too slowly");
      if (turns.nowMs() - sinceMs > UNREPORTED_MS) lateUntil.set(platformId, turns.nowMs() + LATE_NOTED_MS);
      if (heads.get(platformId)?.seq === seq) heads.delete(platformId);
    }
  }

  return {
    async commit(platformId, entry) {
      const at = nowOf();
      const reversed = reversedBy(platformId, entry);
      if (!isOver() && chance.hits(0.1)) await turns.sleep(chance.int(1, LATE_MS_MAX));
      await turns.turn();
      if (!state.isAlive || nowOf().getTime() - at.getTime() > LATE_MS_MAX) return;
      if (fake.chains.get(platformId)?.some(({ erasing }) => erasing)) return;
      // It was erased, or a restored backup does not have it.
      if (reversedBy(platformId, entry) !== reversed) return;
      const { seq } = fake.commit(platformId, { ...entry, at, committedMs: turns.nowMs() });
      const nowMs = turns.nowMs();
      heads.set(platformId, { seq, sinceMs: heads.get(platformId)?.sinceMs ?? nowMs });
    },
    project,
    async record() {
      const at = nowOf();
      await project();
      if (heads.size > 0 || !state.isAlive) return;
      last = { projectedTo: new Date(at.getTime() - MARGIN_MS), seenMs: turns.nowMs() };
      passes = 0;
    },
    note() {
      const { projectedTo, seenMs } = last;
      if (!state.isAlive && passes > 0 && heads.size === 0) return null;
      return { projectedTo, seenAt: new Date(seenMs), silentMs: turns.nowMs() - seenMs, passes };
    },
    isAlive: () => state.isAlive,
    goBack() {
      for (const [platformId, { seq }] of heads) if (!hasEntry(platformId, seq)) heads.delete(platformId);
    },
    isLate(platformId) {
      const held = heads.get(platformId);
      if ((lateUntil.get(platformId) ?? 0) > turns.nowMs()) return true;
      return held !== undefined && (!state.isAlive || turns.nowMs() - held.sinceMs > UNREPORTED_MS);
    },
    kill() {
      state.isAlive = false;
      state.ended.resolve();
    },
    ended: state.ended.promise,
    async recover() {
      for (const platformId of heads.keys()) {
        const marked = fake.isOpen();
        await turns.turn();
        const seq = fake.chains.get(platformId)?.at(-1)?.seq;
        if (seq !== undefined) fake.project(platformId, seq, marked || fake.isOpen());
        lateUntil.set(platformId, turns.nowMs() + LATE_NOTED_MS);
        heads.delete(platformId);
      }
      passes += 1;
    },
  };
}
