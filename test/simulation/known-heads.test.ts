// What is decided on a head that a process remembers, and when it reads the head again.
import { afterEach, expect, test, vi } from "vitest";
import { callerAwardKey } from "#domain/award-key.ts";
import { EPOCH_AGE_MAX_MS } from "#usecases/awards/bounds.ts";
import type { AwardStore, MemberLock } from "#usecases/awards/ports.ts";
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
function countedStore(fake: AwardStore): { store: AwardStore; reads: string[] } {
  const reads: string[] = [];
  const store: AwardStore = {
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
  publish() {},
};

test("the committer reads a head again without the seq of a lock only if another process awards the member too", async () => {
  const fake = makeFakeStore();
  const { store, reads } = countedStore(fake);
  const { committer } = makeHeldCommitter({ store });
  for (const key of ["1", "2", "3"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
  expect(reads).toStrictEqual(["unknown head"]);
  await fake.commit([makeEntry({ platformId: "m", seq: 4, key: "of another process", xp: 8n })]);
  reads.length = 0;
  for (const key of ["5", "6"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
  // After the conflict, and then each time.
  expect(reads).toStrictEqual(["unknown head", "known head"]);
  expect(fake.entries().map(({ seq, xp }) => [seq, xp])).toStrictEqual([
    [1, 1n],
    [2, 2n],
    [3, 3n],
    [4, 8n],
    [5, 9n],
    [6, 10n],
  ]);
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
