// One seeded history of a clan's boards: several processes that award and count, each with its own troubles, people who
// change boards, erasures, restored backups, and an oracle that adds up the ledger.
import { AppError } from "#kernel/app-error.ts";
import type { Rhythm } from "#domain/board.ts";
import { makeSetBoard } from "#boards/set-board.ts";
import { ERASURE_QUIET_MS } from "#erasure/bounds.ts";
import { chanceOf } from "../../support/chance.ts";
import { silentLog } from "../../support/silent-log.ts";
import { faultsAtEnd, faultsOfCounted, faultsOfFinal, textOf } from "./check-boards.ts";
import { makeFakeBoards } from "./fake-boards.ts";
import { makeAwarder, makeCounter, type Awarder, type Counter, type World } from "./processes.ts";
import { makeTurns } from "./turns.ts";

/** A day ends in the middle of the history. */
const START_MS = Date.UTC(2026, 10, 28, 23, 58, 40);
const FAULTS_MS = 140_000;
const MEMBERS = ["m1", "m2", "m3", "m4"];
/** What was committed late is committed. */
const SETTLED_MS = 5_000;
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const ADA = { actor: "ada" } as never;

/** Every fault of the history; empty if the guarantees held. */
export async function simulateBoards(seed: number): Promise<string[]> {
  const chance = chanceOf(seed);
  const turns = makeTurns(chance, START_MS);
  const dateOf = (ms = 0): Date => new Date(Math.floor((turns.nowMs() + ms) / 1_000) * 1_000);
  const fake = makeFakeBoards("c", () => new Date(turns.nowMs()));
  const isOver = (): boolean => turns.nowMs() > START_MS + FAULTS_MS;
  const faults = new Set<string>();
  const log = { ...silentLog, error: (_: object, event: string) => void faults.add(event) };
  function whileWriting(method: string, [platformId]: readonly string[]): void {
    if (isOver() || !platformId) return;
    const [drawn, counter] = [chance.next(), chance.pick(counters)];
    if (drawn < 0.15) void eraseOne(platformId);
    else if (drawn < 0.3 && method === "insertFinal") {
      if (fake.storedBoards.size > 0) void attempt(() => isEnded(counter, removeOne(counter)));
    } else if (drawn < 0.8) {
      void commitOne(newest(), platformId);
      void catchUp(counter);
    }
  }
  const world: World = { fake, turns, chance, isOver, whileWriting, log };
  let restored: Date | null = null;
  const [erasing, erased] = [new Set<string>(), new Set<string>()];
  /** By the name of a final period's standings: as they were at first. */
  const finals = new Map<string, ReadonlyMap<string, string>>();
  /** By the board's uid: how many periods had become final before it was removed. */
  const removedAt = new Map<string, number>();

  const awarders: Awarder[] = [0, chance.pick([0, -4_000, -40_000, 20_000, 200_000])].map((skewMs) =>
    makeAwarder(world, skewMs),
  );
  const newCounter = (): Counter =>
    makeCounter(
      world,
      () => awarders,
      () => restored,
    );
  const counters = [newCounter(), newCounter()];

  function verify(): void {
    const isExempt = (id: string): boolean => erasing.has(id) || awarders.some((one) => one.isLate(id));
    for (const fault of faultsOfCounted(fake, { isExempt, restored })) faults.add(fault);
    for (const period of fake.periods.values()) {
      const { isFinal, removed, rows, boardId, periodId } = period;
      if (!isFinal || removed) continue;
      const now = finalRows(rows);
      if (!finals.has(rows) && !(restored && period.begunAt <= restored))
        for (const fault of faultsOfFinal(fake, period, (id) => erased.has(id))) faults.add(fault);
      const first = finals.get(rows) ?? now;
      finals.set(rows, first);
      const name = `${boardId} ${periodId}`;
      for (const [platformId, was] of first)
        if (!erased.has(platformId) && now.get(platformId) !== was)
          faults.add(`${name}: of ${platformId} it had ${was}, and has ${now.get(platformId)}`);
      if ([...now.keys()].some((id) => !first.has(id))) faults.add(`${name}: somebody was added after it was final`);
    }
  }
  function finalRows(rows: string): ReadonlyMap<string, string> {
    return new Map(fake.rowsOf(rows).map((one) => [one.platformId, `${one.position} ${textOf(one)}`]));
  }

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return false;
    }
  }
  async function every(msMin: number, msMax: number, act: () => Promise<unknown>): Promise<void> {
    while (!isOver()) {
      await turns.sleep(chance.int(msMin, msMax));
      if (!isOver()) await attempt(act);
    }
  }

  async function catchUp(counter: Counter): Promise<void> {
    const counted = counter.catchUp("c", { countedOnly: chance.hits(0.5) });
    if (await attempt(() => isEnded(counter, counted))) verify();
  }

  async function commitOne(awarder: Awarder, platformId = chance.pick(MEMBERS)): Promise<void> {
    const chain = fake.chains.get(platformId) ?? [];
    const [drawn, was] = [chance.next(), chain.at(-1)?.removed ?? false];
    const reversed = new Set(chain.map(({ reversesSeq }) => reversesSeq));
    const open = chain.filter(({ what, seq }) => what !== "reversal" && what !== "membership" && !reversed.has(seq));
    if (drawn < 0.15 && open.length > 0) {
      const { seq, applied } = chance.pick(open);
      return awarder.commit(platformId, { what: "reversal", reversesSeq: seq, applied: -applied, removed: was });
    }
    if (drawn < 0.25) return awarder.commit(platformId, { what: "membership", applied: 0n, removed: chance.hits(0.5) });
    const what = drawn < 0.35 ? "other" : "award";
    return awarder.commit(platformId, { what, applied: BigInt(chance.int(-3, 9)), removed: was });
  }

  async function setBoard(counter: Counter): Promise<unknown> {
    const [boardId, drawn] = [chance.pick(["days", "hours", "seasons"]), chance.next()];
    const ref = { clanId: "c", boardId };
    const board = fake.storedBoards.get(boardId);
    if (board && drawn < 0.1) return removeOne(counter, board);
    const settleMs = chance.pick([0, 0, 30_000, HOUR_MS]);
    const startsAt = dateOf(chance.int(-MINUTE_MS, 40_000));
    const season = { startsAt, endsAt: dateOf(chance.int(41_000, 100_000)) };
    if (boardId === "seasons")
      return board ? counter.season(ref, season, ADA) : counter.set(ref, { season, settleMs }, ADA);
    const at = dateOf(chance.int(-5, 3) * MINUTE_MS)
      .toISOString()
      .slice(11, 16);
    const rhythm: Partial<Rhythm> = boardId === "days" ? {} : { at };
    const from = board || chance.hits(0.5) ? {} : { from: dateOf(-chance.int(0, 50) * HOUR_MS) };
    return counter.set(ref, { rhythm: { every: "day", ...rhythm } as never, settleMs, ...from }, ADA);
  }

  async function removeOne(counter: Counter, board = chance.pick([...fake.storedBoards.values()])): Promise<void> {
    await counter.remove(board.boardId);
    removedAt.set(board.uid, fake.notes.length);
  }

  async function eraseOne(platformId: string): Promise<void> {
    const chain = fake.chains.get(platformId);
    if (!chain || erasing.has(platformId)) return;
    erasing.add(platformId);
    erased.add(platformId);
    const seq = Math.max(chain.length, fake.members.get(platformId)?.seq ?? 0) + 1;
    const fence = { at: dateOf(), applied: 0n, removed: true, what: "other", committedMs: turns.nowMs() } as const;
    chain.push({ ...fence, seq, erasing: true });
    fake.members.set(platformId, { seq, erasing: true });
    for (const entry of chain) {
      if (entry.seq % 4 === 0) await turns.turn();
      entry.erasing = true;
    }
    fake.eraseStandings(platformId);
    await turns.sleep(ERASURE_QUIET_MS);
    // While the chain is closed: nothing is counted of what is awarded afterwards.
    if (fake.eraseStandings(platformId)) {
      await turns.sleep(ERASURE_QUIET_MS);
      fake.eraseStandings(platformId);
    }
    await turns.turn();
    fake.chains.delete(platformId);
    fake.members.delete(platformId);
    erasing.delete(platformId);
  }

  async function restore(): Promise<void> {
    if (erasing.size > 0) return;
    const since = turns.nowMs() - chance.int(1, 30_000);
    for (const [platformId, chain] of fake.chains) {
      const kept = chain.filter(({ committedMs }) => committedMs < since);
      if (kept.length === 0) fake.chains.delete(platformId);
      else fake.chains.set(platformId, kept);
      const member = fake.members.get(platformId);
      if (!member) continue;
      if (kept.length === 0) fake.members.delete(platformId);
      else if (member.seq > kept.length) fake.members.set(platformId, { ...member, seq: kept.length });
      if ((member.due ?? 0) >= kept.length) delete fake.members.get(platformId)?.due;
    }
    for (const awarder of awarders) awarder.goBack();
    restored = new Date(turns.nowMs());
    finals.clear();
  }

  async function disturb(): Promise<void> {
    const drawn = chance.next();
    if (drawn < 0.3) {
      const index = chance.int(0, 1);
      counters[index]?.kill();
      counters[index] = newCounter();
    } else if (drawn < 0.45) {
      awarders.at(-1)?.kill();
      awarders.push(makeAwarder(world, chance.pick([0, 10_000])));
    } else if (drawn < 0.6) {
      const platformId = chance.pick(MEMBERS);
      const member = fake.members.get(platformId);
      // An older version wrote it, or something else has changed it. Ahead of the ledger, it is rebuilt immediately.
      const ahead = chance.pick([0, 0, 3]);
      const end = fake.chains.get(platformId)?.length ?? 0;
      if (member && !member.erasing)
        Object.assign(member, { isWrong: true, seq: ahead > 0 ? Math.max(member.seq, end) + ahead : member.seq });
      if (ahead > 0) fake.rebuild(platformId, fake.isOpen());
    } else if (drawn < 0.8) await eraseOne(chance.pick(MEMBERS));
    else if (drawn < 0.85) await restore();
    else {
      const counter = chance.pick(counters);
      await isEnded(counter, counter.rebuild("c"));
    }
  }

  // What was there before.
  for (let count = chance.int(0, 40); count > 0; count -= 1)
    fake.commit(chance.pick(["m1", ...MEMBERS]), {
      what: "award",
      applied: BigInt(chance.int(-2, 5)),
      removed: false,
      at: dateOf(-chance.int(0, 50) * HOUR_MS),
      committedMs: START_MS - MINUTE_MS,
    });
  for (const [platformId, chain] of fake.chains) fake.project(platformId, chain.length, false);
  if (chance.hits(0.3)) {
    const set = makeSetBoard({ boards: fake.boards, readOpenPeriods: async () => null });
    await set({ clanId: "c", boardId: "days" }, { rhythm: { every: "day" } }, ADA);
    const board = fake.storedBoards.get("days");
    // So old that nothing of its next period is before it.
    if (board) fake.storedBoards.set("days", { ...board, createdAt: dateOf(-50 * HOUR_MS) });
  }

  const [paceMs, countMs] = [chance.pick([1_000, 4_000]), chance.pick([3_000, 10_000])];
  const repairMs = chance.pick([20_000, 200_000]);
  await turns.run(
    Promise.all([
      every(10, paceMs, () => commitOne(awarders.find((one) => one.isAlive() && chance.hits(0.5)) ?? newest())),
      every(1_000, 6_000, () => Promise.all(awarders.map(recorded))),
      every(2_000, repairMs, async () => {
        for (const one of awarders) if (!one.isAlive() && (one.note()?.silentMs ?? 0) > 15_000) await one.recover();
      }),
      every(200, countMs, () =>
        Promise.all(chance.hits(0.4) ? counters.map(catchUp) : [catchUp(chance.pick(counters))]),
      ),
      every(3_000, repairMs, () => {
        const counter = chance.pick(counters);
        return isEnded(counter, counter.rebuildThese(MEMBERS.map((platformId) => ({ platformId }))));
      }),
      every(2_000, 30_000, () => {
        const counter = chance.pick(counters);
        return isEnded(counter, setBoard(counter));
      }),
      every(10_000, 60_000, disturb),
    ]),
  );
  await turns.run(settle());
  verify();
  for (const [index, { boardUid, periodId, rows }] of fake.notes.entries()) {
    if (index >= (removedAt.get(boardUid) ?? Infinity))
      faults.add(`${periodId} is final although its board was removed`);
    if (fake.notes.findIndex((one) => one.boardUid === boardUid && one.periodId === periodId) !== index)
      faults.add(`${periodId} becomes final twice: ${rows}`);
  }
  for (const fault of faultsAtEnd(fake, { now: new Date(turns.nowMs() - 2 * HOUR_MS) })) faults.add(fault);
  return [...faults];

  function newest(): Awarder {
    const awarder = awarders.at(-1);
    if (!awarder) throw new Error("there is no awarder");
    return awarder;
  }

  function recorded(one: Awarder): Promise<unknown> {
    return one.isAlive() ? isEnded(one, one.record()) : Promise.resolve();
  }

  /** A process that ended never returns: nobody waits for it. */
  function isEnded(process: { ended: Promise<void> }, work: Promise<unknown>): Promise<unknown> {
    return Promise.race([work, process.ended]);
  }

  /** Nothing fails any more: everything is counted, and what was discarded is deleted. */
  async function settle(): Promise<void> {
    const last = makeCounter(
      world,
      () => awarders,
      () => restored,
    );
    for (const one of awarders) if (!one.isAlive()) await one.recover();
    await last.rebuildThese(MEMBERS.map((platformId) => ({ platformId })));
    for (const waitMs of [0, SETTLED_MS, 3 * MINUTE_MS, SETTLED_MS]) {
      await turns.sleep(waitMs);
      await Promise.all(awarders.map(recorded));
      await last.catchUp("c");
      verify();
    }
    await turns.sleep(2 * HOUR_MS);
    await fake.upkeep.deleteDiscarded(HOUR_MS);
  }
}
