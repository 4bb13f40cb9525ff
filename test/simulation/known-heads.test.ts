// What is decided on a head that a process remembers, and when it reads the head again.
import { afterEach, expect, test, vi } from "vitest";
import { callerAwardKey } from "#domain/award-key.ts";
import { EPOCH_AGE_MAX_MS } from "#ledger/bounds.ts";
import type { AwardStore, Epoch, MemberLock } from "#ledger/ports.ts";
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

/** An epoch that can be drawn or renewed; each change is known once `followEpoch` has resolved. */
function makeEpoch() {
  vi.useFakeTimers({ toFake: ["Date"] });
  let epoch: Epoch = { id: "1", renews: null };
  const next = (renews: string | null): void => {
    epoch = { id: `${Number(epoch.id) + 1}`, renews };
    vi.advanceTimersByTime(EPOCH_AGE_MAX_MS + 1);
  };
  return { epoch: () => epoch, draw: () => next(null), renew: () => next(epoch.id) };
}

test("the committer empties its cache of heads in a new epoch, so that outdated seqs cause no conflicts", async () => {
  const { store, reads } = countedStore(makeFakeStore());
  const { epoch, draw } = makeEpoch();
  const { committer, commits } = makeHeldCommitter({ store, lock: outdated, epoch });
  for (const key of ["1", "2"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
  draw();
  expect(await award(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 3 } });
  expect(reads).toStrictEqual(["unknown head", "unknown head"]);
  expect(commits).toHaveLength(3);
});

test("the committer keeps its cache of heads in a renewed epoch, and confirms those of the last two epochs together", async () => {
  const { store, reads } = countedStore(makeFakeStore());
  const { epoch, renew } = makeEpoch();
  const { committer, commits, followEpoch } = makeHeldCommitter({ store, epoch });
  for (const id of ["a", "b"]) expect(await award(committer, id, "1")).toMatchObject({ kind: "applied" });
  reads.length = 0;
  for (const expected of [["by number"], ["by number"], []]) {
    renew();
    await followEpoch();
    await expect.poll(() => reads.splice(0)).toStrictEqual(expected);
  }
  for (const id of ["a", "b"]) expect(await award(committer, id, "2")).toMatchObject({ entry: { seq: 2 } });
  expect(reads).toStrictEqual([]);
  expect(commits).toHaveLength(4);
});

test.for([1, 2])(
  "the committer drops a head that a restored backup of the same epoch does not contain, at renewal %i",
  async (renewal) => {
    const fake = makeFakeStore();
    const { store, reads } = countedStore(fake);
    const { epoch, renew } = makeEpoch();
    const { committer, followEpoch } = makeHeldCommitter({ store, epoch });
    for (const key of ["1", "2"]) expect(await award(committer, "m", key)).toMatchObject({ kind: "applied" });
    for (let count = 1; count <= renewal; count += 1) {
      reads.length = 0;
      if (count === renewal) fake.restore(0.5);
      renew();
      await followEpoch();
      await expect.poll(() => reads).toStrictEqual(["by number"]);
    }
    expect(await award(committer, "m", "3")).toMatchObject({ kind: "applied", entry: { seq: 2 } });
    expect(fake.entries().map(({ seq }) => seq)).toStrictEqual([1, 2]);
  },
);

test("an award that is committed while the epoch is renewed advances the cached head", async () => {
  const { epoch, renew } = makeEpoch();
  const { store, reads } = countedStore(makeFakeStore());
  const { committer, commits, release, followEpoch } = makeHeldCommitter({ store, epoch });
  const answer = award(committer, "held", "1");
  await expect.poll(() => commits).toHaveLength(1);
  renew();
  await followEpoch();
  release();
  expect(await answer).toMatchObject({ kind: "applied", entry: { seq: 1 } });
  await followEpoch();
  await expect.poll(() => reads).toStrictEqual(["unknown head", "by number"]);
  expect(await award(committer, "held", "2")).toMatchObject({ kind: "applied", entry: { seq: 2 } });
  expect(reads).toHaveLength(2);
  expect(commits).toHaveLength(2);
});
