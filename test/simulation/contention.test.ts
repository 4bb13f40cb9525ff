// When a process takes locks, and when it goes without.
import { afterEach, expect, test, vi } from "vitest";
import type { AppError } from "#kernel/app-error.ts";
import type { MemberId } from "#domain/member-id.ts";
import { CONTENTION_CHECK_MS, CONTENTION_MS } from "#ledger/bounds.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { MemberLock } from "#ledger/ports.ts";
import { makeEntry } from "../support/entry.ts";
import { makeFakeStore, type FakeStore } from "./fake-store.ts";
import { award, makeHeldCommitter } from "./held-committer.ts";

type Locking = {
  committer: Pick<Ledger, "submit">;
  fake: FakeStore;
  /** Members locked since the last call. */
  locked: () => MemberId[];
  /** The numbers that the last release stored. */
  released: () => Record<MemberId, number>;
  /** Lets the process find out that it needs no locks: it took them last just now. */
  untilAlone: () => Promise<void>;
};

afterEach(() => void vi.useRealTimers());

/** `holds`: what another process holds. `numbers`: what Redis returns with a lock; otherwise what was stored last, or 0. */
function makeLocking({
  holds = [],
  numbers = {},
}: { holds?: MemberId[]; numbers?: Record<MemberId, number> } = {}): Locking {
  vi.useFakeTimers({ toFake: ["Date"] });
  const fake = makeFakeStore();
  const locked: MemberId[] = [];
  let released: Record<MemberId, number> = {};
  const lock: MemberLock = {
    async acquire(members) {
      locked.push(...members);
      const granted = new Set(members.filter((id) => !holds.includes(id)));
      const seqs = new Map(members.map((id) => [id, numbers[id] ?? 0]));
      return { granted, seqs, release: (now) => void (released = Object.fromEntries(now)) };
    },
  };
  const { committer } = makeHeldCommitter({ store: fake, lock });
  const takeLocked = (): MemberId[] => locked.splice(0);
  return {
    committer,
    fake,
    locked: takeLocked,
    released: () => released,
    async untilAlone() {
      vi.advanceTimersByTime(CONTENTION_MS);
      await award(committer, "other", `${Date.now()}`);
      takeLocked();
    },
  };
}

test("the committer takes locks for a while after a start and after a conflict with another process", async () => {
  const { committer, fake, locked, untilAlone } = makeLocking();
  await award(committer, "m", "1");
  expect(locked()).toStrictEqual(["c/m"]);
  vi.advanceTimersByTime(CONTENTION_MS - 1);
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual(["c/m"]);
  await untilAlone();
  await award(committer, "m", "3");
  expect(locked()).toStrictEqual([]);

  await fake.commit([makeEntry({ platformId: "m", seq: 4, key: "of another process", xp: 9n })]);
  expect(await award(committer, "m", "5")).toMatchObject({ kind: "applied", entry: { seq: 5, xp: 10n } });
  expect(locked()).toStrictEqual([]);
  await award(committer, "m", "6");
  expect(locked()).toStrictEqual(["c/m"]);
  await untilAlone();
  await award(committer, "m", "7");
  expect(locked()).toStrictEqual([]);
});

test("the committer does not resume locking after a retry of an applied award, which conflicts only by its key", async () => {
  const { committer, locked, untilAlone } = makeLocking();
  await award(committer, "m", "1");
  await untilAlone();
  expect(await award(committer, "m", "1")).toMatchObject({ kind: "replayed" });
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual([]);
});

test("the committer detects by occasional locks another process that always wins", async () => {
  const holds: MemberId[] = [];
  const { committer, locked, untilAlone } = makeLocking({ holds });
  await award(committer, "other 1");
  await untilAlone();
  await award(committer, "m", "1");
  expect(locked()).toStrictEqual([]);
  vi.advanceTimersByTime(CONTENTION_CHECK_MS);
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual(["c/m"]);
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
});

test("the committer detects another process by the seq that a lock returns", async () => {
  const numbers: Record<MemberId, number> = {};
  const { committer, fake, locked, untilAlone } = makeLocking({ numbers });
  await award(committer, "m", "1");
  await untilAlone();
  vi.advanceTimersByTime(CONTENTION_CHECK_MS);
  await fake.commit([makeEntry({ platformId: "m", seq: 2, key: "of another process", xp: 9n })]);
  numbers["c/m"] = 2;
  expect(await award(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 3, xp: 10n } });
  locked();
  await award(committer, "other");
  expect(locked()).toStrictEqual(["c/other"]);
});

test("the committer ignores a seq from before awards without locks, and goes on without them", async () => {
  const { committer, locked, untilAlone } = makeLocking({ numbers: { "c/m": 1 } });
  await award(committer, "m", "1");
  await untilAlone();
  await award(committer, "m", "2");
  vi.advanceTimersByTime(CONTENTION_CHECK_MS);
  expect(await award(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 3 } });
  expect(locked()).toStrictEqual(["c/m"]);
  await award(committer, "m", "4");
  expect(locked()).toStrictEqual([]);
});

test("the committer releases locks with the seq of its commit, but none of a member who is being erased", async () => {
  const { committer, fake, released } = makeLocking();
  await award(committer, "m", "1");
  await expect.poll(released).toStrictEqual({ "c/m": 1 });
  await fake.chain.fence("e", { clanId: "c", platformId: "m" });
  expect(await award(committer, "m", "2", 100).catch(({ code }: AppError) => code)).toBe("busy");
  await expect.poll(released).toStrictEqual({});
});
