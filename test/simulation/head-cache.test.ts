// What is decided on a head that a process remembers, and when it reads the head again.
import { afterEach, describe, expect, test, vi } from "vitest";
import { callerAwardKey } from "#domain/award-key.ts";
import {
  CONTENTION_CHECK_MS,
  CONTENTION_MS,
  EPOCH_AGE_MAX_MS,
  RECORD_EVERY_MS,
  RECORD_REPLY_MS_MAX,
} from "#ledger/bounds.ts";
import type { LedgerStore, MemberLock } from "#ledger/ports.ts";
import { makeEntry } from "../support/entry.ts";
import { makeFakeStore } from "./fake-store.ts";
import { autoClan, award, DEADLINE_MS, makeHeldCommitter } from "./held-committer.ts";

afterEach(() => void vi.useRealTimers());

test("the committer answers a retry from its entry although another process removed the member", async () => {
  const store = makeFakeStore();
  await store.commit([makeEntry({ platformId: "m", memberSince: new Date(0), membershipCreated: true })]);
  const { committer } = makeHeldCommitter({ store, clan: { ...autoClan, autoClan: false } });
  expect(await award(committer, "m", "before")).toMatchObject({ kind: "applied", entry: { seq: 2 } });
  await store.commit([makeEntry({ platformId: "m", seq: 3, key: "-r", kind: "membership", memberSince: null })]);
  // Two payloads under one key: one of them is rejected on any head, so the head is read again for both.
  const submit = (fingerprint: string) =>
    committer.submit(
      { clanId: "c", platformId: "m", amount: 1n, key: callerAwardKey("k"), fingerprint, apiKeyId: "k" },
      DEADLINE_MS,
    );
  const rejected = { kind: "rejected", code: "member_not_found" };
  expect(await Promise.all([submit("x"), submit("y"), award(committer, "m", "before")])).toMatchObject([
    rejected,
    rejected,
    { kind: "replayed" },
  ]);
});

/** Numbers all reads of heads in it, by what was known of them. */
function countedStore(fake: LedgerStore): { store: LedgerStore; reads: string[] } {
  const reads: string[] = [];
  const store: LedgerStore = {
    ...fake,
    readHeads(members) {
      reads.push("unknown head");
      return fake.readHeads(members);
    },
    advanceHeads(known) {
      reads.push("known head");
      return fake.advanceHeads(known);
    },
    readHeadsAt(seqs) {
      reads.push("by number");
      return fake.readHeadsAt(seqs);
    },
  };
  return { store, reads };
}

/** Returns the number 1 for every member, however often they have been awarded since. */
const outdated: MemberLock = {
  acquire: async (ids) => ({ granted: new Set(ids), seqs: new Map(ids.map((id) => [id, 1])), release() {} }),
};

test("the committer reads a locked member's head again without a seq, and none while it needs no locks", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { store, reads } = countedStore(makeFakeStore());
  const { committer } = makeHeldCommitter({ store });
  for (const key of ["1", "2"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
  expect(reads.splice(0)).toStrictEqual(["unknown head", "known head"]);
  vi.advanceTimersByTime(CONTENTION_MS);
  for (const key of ["3", "4", "5"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
  vi.advanceTimersByTime(CONTENTION_CHECK_MS);
  expect(await award(committer, "m", "6")).toMatchObject({ kind: "applied", entry: { seq: 6 } });
  expect(reads).toStrictEqual([]);
});

test("the committer ignores the seq of a lock below that of the known head, without a read or a conflict", async () => {
  const { store, reads } = countedStore(makeFakeStore());
  const { committer, commits } = makeHeldCommitter({ store, lock: outdated });
  for (const key of ["1", "2", "3", "4"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
  expect(reads).toStrictEqual(["unknown head"]);
  expect(commits).toHaveLength(4);
});

test("the committer empties its cache of heads in a new epoch, so that outdated seqs cause no conflicts", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { store, reads } = countedStore(makeFakeStore());
  let epoch = "1";
  const { committer, commits } = makeHeldCommitter({ store, lock: outdated, epoch: () => epoch });
  for (const key of ["1", "2"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
  epoch = "2";
  vi.advanceTimersByTime(EPOCH_AGE_MAX_MS + 1);
  expect(await award(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 3 } });
  expect(reads).toStrictEqual(["unknown head", "unknown head"]);
  expect(commits).toHaveLength(3);
});

describe("a process whose database went back", () => {
  async function awardNow(...args: Parameters<typeof award>): ReturnType<typeof award> {
    const outcome = award(...args);
    await vi.advanceTimersByTimeAsync(10);
    return await outcome;
  }

  /** `record` decides what a renewal of the record returns, by its number. */
  async function awardTwice(record: (number: number) => number | Promise<number>) {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const fake = makeFakeStore();
    const { store, reads } = countedStore(fake);
    const notes: number[] = [];
    const { committer, close } = makeHeldCommitter({
      store,
      lock: outdated,
      processes: {
        async note(_, { number }) {
          notes.push(number);
          return record(number);
        },
        interruptions: fake.processes.interruptions,
        remove: async () => {},
      },
    });
    for (const key of ["1", "2"]) expect(await awardNow(committer, "m", key)).toMatchObject({ kind: "applied" });
    // Until they are projected.
    await vi.advanceTimersByTimeAsync(RECORD_EVERY_MS - 1_000);
    reads.length = 0;
    return { fake, reads, notes, committer, close };
  }

  test("notices it by its record, and reads all heads again", async () => {
    const { fake, reads, notes, committer } = await awardTwice((number) => (number === 2 ? 0 : number - 1));
    fake.restore(0.5);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(notes).toStrictEqual([1, 2]);
    expect(await awardNow(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 2 } });
    expect(reads).toStrictEqual(["unknown head"]);
    await vi.advanceTimersByTimeAsync(RECORD_EVERY_MS);
    expect(await awardNow(committer, "m", "4")).toMatchObject({ kind: "applied", entry: { seq: 3 } });
    expect(reads).toStrictEqual(["unknown head"]);
  });

  test("reads all heads again after its connections were interrupted", async () => {
    const { fake, reads, committer } = await awardTwice((number) => number - 1);
    fake.stop({ interrupts: true });
    fake.restore(0.5);
    expect(await awardNow(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 2 } });
    expect(reads).toStrictEqual(["unknown head"]);
  });

  test("goes on with awards if one renewal of its record never responds", async () => {
    let isLost = false;
    const { notes, committer } = await awardTwice((number) => (isLost ? new Promise<number>(() => {}) : number - 1));
    isLost = true;
    await vi.advanceTimersByTimeAsync(1_000);
    isLost = false;
    await vi.advanceTimersByTimeAsync(RECORD_EVERY_MS + RECORD_REPLY_MS_MAX);
    expect(notes.length).toBeGreaterThan(2);
    expect(await awardNow(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 3 } });
  });
});
