// When a process takes locks, and when it goes without.
import { afterEach, expect, test, vi } from "vitest";
import type { AppError } from "#domain/app-error.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { AwardCommitter } from "#ledger/commit/committer.ts";
import type { Epoch, MemberLock } from "#ledger/ports.ts";
import { CONTENTION_FREE_LOCKS, CONTENTION_CHECK_MS, EPOCH_AGE_MAX_MS } from "#ledger/bounds.ts";
import { makeEntry } from "../support/entry.ts";
import { makeFakeStore, type FakeStore } from "./fake-store.ts";
import { award, makeHeldCommitter } from "./held-committer.ts";

type Locking = {
  committer: AwardCommitter;
  fake: FakeStore;
  /** Members locked since the last call. */
  locked: () => MemberId[];
  /** Members whose number the last release stored. */
  released: () => MemberId[];
  /** The numbers published since the last call. */
  published: () => Record<MemberId, number>;
  publishedTimes: () => number;
  close: () => Promise<void>;
};

/** So that nobody looks for another process in between. */
const stopClock = (): void => void vi.useFakeTimers({ toFake: ["Date"] });
afterEach(() => void vi.useRealTimers());

/** `holds`: what another process holds. `numbers`: what Redis returns with a lock; otherwise 0. */
function makeLocking({
  holds = [],
  numbers = {},
  epoch = () => ({ id: "1", renews: null }),
}: { holds?: MemberId[]; numbers?: Record<MemberId, number>; epoch?: () => Epoch } = {}): Locking {
  const fake = makeFakeStore();
  let locked: MemberId[] = [];
  let released: MemberId[] = [];
  let published: Record<MemberId, number> = {};
  let publishedTimes = 0;
  const lock: MemberLock = {
    async acquire(members) {
      locked.push(...members);
      const granted = new Set(members.filter((id) => !holds.includes(id)));
      const seqs = new Map(members.map((id) => [id, numbers[id] ?? 0]));
      return { granted, seqs, release: (now) => void (released = [...now.keys()]) };
    },
    publish(seqs) {
      publishedTimes += 1;
      Object.assign(published, Object.fromEntries(seqs));
    },
  };
  const { committer, close } = makeHeldCommitter({ store: fake, lock, epoch });
  return {
    committer,
    fake,
    locked() {
      const now = locked;
      locked = [];
      return now;
    },
    released: () => released,
    published() {
      const now = published;
      published = {};
      return now;
    },
    publishedTimes: () => publishedTimes,
    close,
  };
}

async function awardMany(committer: AwardCommitter, members: number): Promise<void> {
  await Promise.all(Array.from({ length: members }, (_, index) => award(committer, `other ${index}`)));
}

test("the committer stops taking locks after enough of them without a sign of another process, until a conflict", async () => {
  stopClock();
  const { committer, fake, locked } = makeLocking();
  await award(committer, "m", "1");
  await awardMany(committer, CONTENTION_FREE_LOCKS - 2);
  locked();
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual(["c/m"]);
  await award(committer, "m", "3");
  expect(locked()).toStrictEqual([]);

  await fake.commit([makeEntry({ platformId: "m", seq: 4, key: "of another process", xp: 9n })]);
  expect(await award(committer, "m", "5")).toMatchObject({ kind: "applied", entry: { seq: 5, xp: 10n } });
  expect(locked()).toStrictEqual([]);
  await award(committer, "m", "6");
  await awardMany(committer, CONTENTION_FREE_LOCKS - 1);
  expect(locked()).toHaveLength(CONTENTION_FREE_LOCKS);
  await award(committer, "m", "7");
  expect(locked()).toStrictEqual([]);
});

test("the committer does not resume locking after a retry of an applied award, which conflicts only by its key", async () => {
  stopClock();
  const { committer, locked } = makeLocking();
  await award(committer, "m", "1");
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  locked();
  expect(await award(committer, "m", "1")).toMatchObject({ kind: "replayed" });
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual([]);
});

test("the committer continues to take locks if another process holds one of them", async () => {
  const { committer, locked } = makeLocking({ holds: ["c/held by another"] });
  await awardMany(committer, CONTENTION_FREE_LOCKS - 1);
  await award(committer, "held by another");
  locked();
  await award(committer, "m");
  expect(locked()).toStrictEqual(["c/m"]);
});

test("the committer detects by occasional locks another process that always wins, and stores no seq for them", async () => {
  stopClock();
  const holds: MemberId[] = [];
  const { committer, locked, released } = makeLocking({ holds });
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  expect(released()).not.toStrictEqual([]);
  locked();
  await award(committer, "m", "1");
  expect(locked()).toStrictEqual([]);

  vi.advanceTimersByTime(CONTENTION_CHECK_MS);
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual(["c/m"]);
  await expect.poll(() => released()).toStrictEqual([]);
  await award(committer, "m", "3");
  expect(locked()).toStrictEqual([]);

  vi.advanceTimersByTime(CONTENTION_CHECK_MS);
  holds.push("c/other 1");
  const heldBack = award(committer, "other 1", "again");
  await award(committer, "other 2", "again");
  holds.length = 0;
  await heldBack;
  locked();
  await award(committer, "m", "4");
  expect(locked()).toStrictEqual(["c/m"]);
  await expect.poll(() => released()).toStrictEqual(["c/m"]);
});

test("the committer publishes the seq of members awarded without locks before it locks again after a detection", async () => {
  stopClock();
  const { committer, fake, published } = makeLocking();
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  await award(committer, "m", "1");
  await award(committer, "n", "1");
  await award(committer, "n", "2");
  expect(published()).toStrictEqual({});
  await fake.commit([makeEntry({ platformId: "m", seq: 2, key: "of another process", xp: 9n })]);
  await award(committer, "m", "3");
  await award(committer, "n", "3");
  expect(published()).toStrictEqual({ "c/m": 3, "c/n": 2 });
});

test("the committer publishes the seq of members awarded without locks once the process is idle", async () => {
  const { committer, published } = makeLocking();
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  await Promise.all(["1", "2"].map((key) => award(committer, "m", key)));
  await expect.poll(() => published()).toStrictEqual({ "c/m": 2 });
});

test("the committer publishes the seq of the last awards without locks when the process closes", async () => {
  stopClock();
  const { committer, published, close } = makeLocking();
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  const last = award(committer, "m", "last");
  await close();
  expect(await last).toMatchObject({ kind: "applied" });
  expect(published()).toStrictEqual({ "c/m": 1 });
});

test("the committer never publishes the seq of a member who is being erased, because Redis would keep their ID", async () => {
  stopClock();
  const { committer, fake, published, released, close } = makeLocking();
  const held = (key: string) => award(committer, "m", key, 100).catch(({ code }: AppError) => code);
  await award(committer, "m", "1");
  await fake.chain.fence("e", { clanId: "c", platformId: "m" });
  expect(await held("2")).toBe("busy");
  expect(released()).toStrictEqual([]);
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  published();
  expect(await held("3")).toBe("busy");
  await award(committer, "n");
  await close();
  expect(published()).toStrictEqual({ "c/n": 1 });
});

test("the committer publishes no seq of the previous epoch if the process was paused while members were erased", async () => {
  stopClock();
  let id = "1";
  const { committer, published, publishedTimes } = makeLocking({ epoch: () => ({ id, renews: null }) });
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  await award(committer, "m", "1");
  id = "2";
  vi.advanceTimersByTime(EPOCH_AGE_MAX_MS);
  await expect.poll(() => publishedTimes()).toBe(1);
  expect(published()).toStrictEqual({});
});

/** Another process awards "m" and "before" once no locks are taken; the next award to "m" detects it. */
async function detectAnother({ committer, fake }: Pick<Locking, "committer" | "fake">): Promise<void> {
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  await award(committer, "before", "1");
  await award(committer, "m", "1");
  await fake.commit([
    makeEntry({ platformId: "m", seq: 2, key: "of another process", xp: 9n }),
    makeEntry({ platformId: "before", seq: 2, key: "of another process", xp: 9n }),
  ]);
  await award(committer, "m", "3");
}

test("the committer locks members once more who were awarded before another process was detected, and no others", async () => {
  stopClock();
  const { committer, fake, locked } = makeLocking();
  await detectAnother({ committer, fake });
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  locked();
  const both = await Promise.all([award(committer, "before", "3"), award(committer, "m", "4")]);
  expect(both).toMatchObject([
    { kind: "applied", entry: { seq: 3, xp: 10n } },
    { kind: "applied", entry: { seq: 4 } },
  ]);
  expect(locked()).toStrictEqual(["c/before"]);
  await award(committer, "before", "4");
  expect(locked()).toStrictEqual([]);
});

test("the committer does not prolong locks because of an outdated seq from before another process was detected", async () => {
  stopClock();
  const { committer, fake, locked } = makeLocking({ numbers: { "c/before": 1 } });
  await detectAnother({ committer, fake });
  await awardMany(committer, CONTENTION_FREE_LOCKS - 1);
  expect(await award(committer, "before", "3")).toMatchObject({ kind: "applied", entry: { seq: 3, xp: 10n } });
  locked();
  await award(committer, "m", "4");
  expect(locked()).toStrictEqual([]);
});
