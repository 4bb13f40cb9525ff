// One seeded history of the numbering of events: several workers on one replica set, each with its own troubles, and a
// reader that follows a chain from its beginning.
import { repeat } from "#async/repeat.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Entry } from "#domain/entry.ts";
import { eventsOfEntry } from "#domain/events-of-entry.ts";
import { makeEraseEvents } from "#events/erase-events.ts";
import { makeNumberEvents } from "#events/number-events.ts";
import { memberSubject, nameOfEvent } from "#domain/change-ref.ts";
import { chanceOf, type Chance } from "../support/chance.ts";
import { silentLog as log } from "../support/silent-log.ts";
import { makeFakeChain, type EventRow, type FakeChain } from "./fake-chain.ts";

const CLANS = ["c1", "c2"] as const;
const MEMBERS = 3;
const WORKERS = 3;
const FAULTS_MS = 20_000;
const NUMBER_EVERY_MS = 250;
const READ_EVERY_MS = 100;

/** What a reader has seen since it last began at the oldest event. */
type Seen = { n: number; eventId: string }[];

/** Every fault of the history; empty if the guarantees held. */
export async function simulateEvents(
  seed: number,
  advance: (work: Promise<unknown>) => Promise<void>,
): Promise<string[]> {
  const chance = chanceOf(seed);
  const majorityMsMax = chance.pick([1, 50, 1_000]);
  const chain = makeFakeChain(() => 1 + Math.floor(chance.next() * majorityMsMax));
  const startMs = Date.now();
  const isOver = (): boolean => Date.now() - startMs > FAULTS_MS;
  let ids = 0;
  const eventIds = { event: () => `evt_${(ids += 1)}` };
  const erased = new Map<string, { clanId: string; platformId: string }>();
  const seen = new Map<string, Seen>(CLANS.map((clanId) => [clanId, []]));

  const paceMs = chance.pick([100, 300, 3_000]);
  async function write(): Promise<void> {
    while (!isOver()) {
      await pause(chance.int(1, paceMs));
      chain.commit(entryOf(chance));
    }
  }
  async function erase(): Promise<void> {
    while (!isOver()) {
      await pause(chance.int(2_000, 8_000));
      const member = { clanId: chance.pick(CLANS), platformId: `m${chance.int(1, MEMBERS)}` };
      erased.set(memberSubject(member.platformId) + member.clanId, member);
      await again(() => chain.deleteEntries(member.clanId, member.platformId));
      await again(() =>
        makeEraseEvents({ events: chain, announce: () => {}, ids: eventIds, clock: { now: () => new Date() } })(member),
      );
    }
  }
  const readers = CLANS.map((clanId) => read(clanId, { chain, seen, isOver }));
  const workers = Array.from({ length: WORKERS }, () => makeWorker({ chain, chance, isOver, eventIds }));
  for (let kill = chance.int(0, 4); kill > 0; kill -= 1)
    setTimeout(
      () => {
        const index = chance.int(0, WORKERS - 1);
        workers[index]?.kill();
        workers[index] = makeWorker({ chain, chance, isOver, eventIds });
      },
      chance.int(0, FAULTS_MS),
    );
  for (let election = chance.int(0, 3); election > 0; election -= 1)
    setTimeout(chain.failOver, chance.int(0, FAULTS_MS));
  const isRestored = chance.hits(0.2);
  if (isRestored) setTimeout(() => chain.restore(chance.next()), chance.int(5_000, FAULTS_MS));

  await advance(Promise.all([write(), chance.hits(0.5) ? erase() : pause(FAULTS_MS)]));
  await advance(untilNumbered(chain));
  // A restored backup may have undone the end of an erasure, which a worker would resume.
  const eraseEvents = makeEraseEvents({
    events: chain,
    announce: () => {},
    ids: eventIds,
    clock: { now: () => new Date() },
  });
  if (isRestored) await advance(Promise.all([...erased.values()].map((member) => again(() => eraseEvents(member)))));
  await advance(Promise.all(readers.map((reader) => reader.stop())));
  for (const worker of workers) worker.kill();
  return CLANS.flatMap((clanId) => faultsOf(clanId, chain, seen.get(clanId) ?? []));
}

function entryOf(chance: Chance): Omit<Entry, "seq"> {
  const rises = chance.hits(0.9);
  return {
    clanId: chance.pick(CLANS),
    platformId: `m${chance.int(1, MEMBERS)}`,
    key: `=${chance.int(0, 2 ** 48)}`,
    fingerprint: "sha",
    amount: 1n,
    applied: 1n,
    xp: 1n,
    rank: "Recruit",
    previousRank: rises ? "Guest" : "Recruit",
    nextRank: null,
    xpToNextRank: null,
    membershipCreated: !rises || chance.hits(0.2),
    memberSince: new Date(0),
    apiKeyId: "k",
    announced: "changes",
    // Clocks are wrong by up to a minute.
    at: new Date(Date.now() + chance.int(-60_000, 60_000)),
  };
}

type World = { chain: FakeChain; chance: Chance; isOver: () => boolean; eventIds: { event: () => string } };

/** A worker that numbers events until it is killed. */
function makeWorker({ chain, chance, isOver, eventIds }: World): { kill(): void } {
  let isAlive = true;
  const stopping = new AbortController();
  const forever = new Promise<never>(() => {});

  /** It may be slow, paused, or fail before or after it was carried out. */
  async function call<T>(operation: () => Promise<T>): Promise<T> {
    const interruptions = chain.interruptions();
    const isLost = (): boolean => interruptions !== chain.interruptions();
    await trouble();
    // Carried out late, although the worker has given it up.
    if (!isOver() && chance.hits(0.02)) {
      setTimeout(() => isLost() || void operation().catch(() => {}), chance.int(1, 5_000));
      throw new AppError("unavailable", "made up", { cause: "made up" });
    }
    if (isLost()) throw new AppError("unavailable", "a restore", { cause: "made up" });
    const result = await operation();
    await trouble();
    if (isLost()) throw new AppError("unavailable", "a restore", { cause: "made up" });
    return result;
  }
  async function trouble(): Promise<void> {
    await pause(isOver() ? 1 : chance.hits(0.03) ? chance.int(1_000, 6_000) : chance.int(1, 40));
    if (!isAlive) await forever;
    if (!isOver() && chance.hits(0.03)) throw new AppError("unavailable", "made up", { cause: "made up" });
  }

  const numberEvents = makeNumberEvents({
    changes: {
      clans: (after, limit) => call(() => chain.clans(after, limit)),
      list: (clan, options) => call(() => chain.list(clan, { ...options, limit: 5 })),
      settle: (changes, end) => call(() => chain.settle(changes, end)),
    },
    chain: {
      newest: (clanId) => call(() => chain.newest(clanId)),
      listNumbered: (clanId, refs) => call(() => chain.listNumbered(clanId, refs)),
      append: (additions) => call(() => chain.append(additions)),
    },
    clans: { read: async () => new Map() },
    names: {
      // Of all that takes time, this alone is no call: the process may be paused.
      async read() {
        await pause(!isOver() && chance.hits(0.1) ? chance.int(1_000, 6_000) : 1);
        return new Map();
      },
    },
    ids: eventIds,
    numbered: () => {},
    clock: { monotonicMs: () => Date.now() },
    log,
  });
  const numbering = repeat(
    NUMBER_EVERY_MS,
    () => numberEvents.run(stopping.signal),
    () => {},
  );
  return {
    kill() {
      isAlive = false;
      stopping.abort();
      void numbering.stop();
    },
  };
}

/** Follows a chain from its oldest event; begins anew where a restored backup has undone its position. */
function read(
  clanId: string,
  { chain, seen, isOver }: { chain: FakeChain; seen: Map<string, Seen>; isOver: () => boolean },
): { stop(): Promise<void> } {
  const look = async (): Promise<void> => {
    const known = seen.get(clanId) ?? [];
    const last = known.at(-1);
    const held = chain.eventsOf(clanId);
    const isUndone = last && held.find(({ n }) => n === last.n)?.event.eventId !== last.eventId;
    const from = isUndone ? [] : known;
    const after = from.at(-1)?.n ?? 0;
    seen.set(clanId, [
      ...from,
      ...held.filter(({ n }) => n > after).map(({ n, event }) => ({ n, eventId: event.eventId })),
    ]);
  };
  const looking = repeat(
    () => (isOver() ? 1_000 : READ_EVERY_MS),
    look,
    () => {},
  );
  return {
    async stop() {
      await looking.stop();
      await look();
    },
  };
}

async function untilNumbered(chain: FakeChain): Promise<void> {
  while (chain.hasUnnumbered()) await pause(500);
}

async function again(operation: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await pause(100);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function faultsOf(clanId: string, chain: FakeChain, seen: Seen): string[] {
  const events = chain.eventsOf(clanId);
  const faults: string[] = [];
  for (const [index, { n }] of events.entries())
    if (n !== index + 1) faults.push(`${clanId}: number ${n} is at place ${index + 1}`);

  const present = events.flatMap((row) => nameOf(row) ?? []);
  const due = chain
    .entries()
    .filter((entry) => entry.clanId === clanId)
    .flatMap((entry) =>
      eventsOfEntry(entry, "changes", { before: null, ranks: [] }).map(({ type }) =>
        nameOfEvent({ subject: memberSubject(entry.platformId), seq: entry.seq, at: entry.at }, type),
      ),
    );
  for (const name of new Set([...present, ...due])) {
    const [has, needs] = [present, due].map((names) => names.filter((other) => other === name).length);
    if (has !== needs) faults.push(`${clanId}: ${name} has ${has} events instead of ${needs}`);
  }

  const lastSeq = new Map<string, number>();
  for (const row of events) {
    const { event } = row;
    if (nameOf(row) === null || event.type === undefined) continue;
    const before = lastSeq.get(event.ref.subject) ?? 0;
    if (event.ref.seq < before) faults.push(`${clanId}: ${event.ref.subject} goes from ${before} to ${event.ref.seq}`);
    lastSeq.set(event.ref.subject, event.ref.seq);
  }

  const byNumber = new Map(events.map(({ n, event }) => [n, event.eventId]));
  for (const [index, { n, eventId }] of seen.entries()) {
    if (n !== index + 1) faults.push(`${clanId}: a reader saw number ${n} at place ${index + 1}`);
    if (byNumber.get(n) !== eventId) faults.push(`${clanId}: a reader saw another event under number ${n}`);
  }
  if (seen.length !== events.length) faults.push(`${clanId}: a reader saw ${seen.length} of ${events.length} events`);
  return faults;
}

/** Of an event of a member's entry that has its content. */
function nameOf({ event, emptiedAt }: EventRow): string | null {
  if (event.type === undefined || event.type === "events.erased" || emptiedAt !== null) return null;
  return nameOfEvent(event.ref, event.type);
}
