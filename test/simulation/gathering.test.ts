// How awards gather into commit groups, over a store that delays a commit until the test releases it.
import { afterEach, expect, test, vi } from "vitest";
import { pause } from "#async/pause.ts";
import { AWARDS_PER_GROUP_THROTTLED, EPOCH_AGE_MAX_MS } from "#ledger/bounds.ts";
import type { LedgerStore, MemberLock } from "#ledger/ports.ts";
import { makeFakeStore } from "./fake-store.ts";
import { autoClan, award, DEADLINE_MS, makeHeldCommitter } from "./held-committer.ts";
import { makeEntry } from "../support/entry.ts";

/** As of a document that says nothing. */
const unreadable: LedgerStore["readHeads"] = () => Promise.reject(new SyntaxError("Cannot convert many to a BigInt"));
afterEach(() => void vi.useRealTimers());

test("the committer commits awards that arrive together in one group, and those that arrive meanwhile in the next", async () => {
  const { committer, commits, release } = makeHeldCommitter();
  const first = ["held", "a", "b"].map((member) => award(committer, member));
  await expect.poll(() => commits).toHaveLength(1);
  const next = ["c", "d", "e"].map((member) => award(committer, member));
  await Promise.all(next);
  release();
  await Promise.all(first);
  // In the order of members, in which a commit inserts.
  expect(commits).toStrictEqual([
    ["a", "b", "held"],
    ["c", "d", "e"],
  ]);
});

test("the committer does not let a single award wait for a large commit group whose commit does not respond", async () => {
  const { committer, commits, release } = makeHeldCommitter();
  const hanging = ["held", "a", "b"].map((member) => award(committer, member));
  await expect.poll(() => commits).toHaveLength(1);
  expect(await award(committer, "lone")).toMatchObject({ kind: "applied" });
  release();
  await Promise.all(hanging);
});

test("the committer answers a retry from its entry, even if its commit group has to wait", async () => {
  const { committer, release } = makeHeldCommitter();
  const { entry } = (await award(committer, "m")) as { entry: unknown };
  // The first retry conflicts, after which the committer looks keys up.
  expect(await award(committer, "m")).toStrictEqual({ kind: "replayed", entry });
  const together = [award(committer, "held"), award(committer, "m")] as const;
  expect(await together[1]).toStrictEqual({ kind: "replayed", entry });
  release();
  expect(await together[0]).toMatchObject({ kind: "applied" });
});

test("the committer looks idempotency keys up in a known epoch, so that entries that were erased since do not count", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const reads: string[] = [];
  const { committer } = makeHeldCommitter({ onRead: (of) => void reads.push(of) });
  const outcomeKind = async (): Promise<unknown> => {
    const outcome = award(committer, "m");
    await vi.advanceTimersByTimeAsync(100);
    return (await outcome).kind;
  };
  expect([await outcomeKind(), await outcomeKind()]).toStrictEqual(["applied", "replayed"]);
  // The known epoch is too old by now, and repeats are still expected.
  await vi.advanceTimersByTimeAsync(EPOCH_AGE_MAX_MS + 100);
  reads.length = 0;
  expect(await outcomeKind()).toBe("replayed");
  expect(reads).toStrictEqual(["epoch", "keys"]);
});

test("the committer answers a retry after outcome_unknown from the entry, without another commit", async () => {
  const { committer, commits, release } = makeHeldCommitter();
  const unknown = award(committer, "held", "k", 200);
  await expect(unknown).rejects.toMatchObject({ code: "outcome_unknown" });
  const again = award(committer, "held", "k");
  release();
  expect(await again).toMatchObject({ kind: "replayed" });
  expect(commits).toStrictEqual([["held"]]);
});

test("the committer reports an award whose commit had no result as applied, and another one with its key as replayed", async () => {
  const store = makeFakeStore();
  let hasLost = false;
  const losingFirstResult: LedgerStore = {
    ...store,
    async commit(members) {
      const result = await store.commit(members);
      if (hasLost) return result;
      hasLost = true;
      return { kind: "unknown", cause: new Error("the answer was lost") };
    },
  };
  const { committer } = makeHeldCommitter({ store: losingFirstResult });
  const outcomes = await Promise.all([award(committer, "m"), award(committer, "m")]);
  const [entry] = store.entries();
  expect(outcomes).toStrictEqual([
    { kind: "applied", entry },
    { kind: "replayed", entry },
  ]);
});

test("the committer never reports an award whose commit had no result as not applied, regardless of later failures", async () => {
  const store = makeFakeStore();
  let heads = store.readHeads;
  const spoilt: LedgerStore = {
    ...store,
    readHeads: (refs) => heads(refs),
    async commit(members) {
      await store.commit(members);
      heads = unreadable;
      return { kind: "unknown", cause: new Error("the answer was lost") };
    },
  };
  const { committer } = makeHeldCommitter({ store: spoilt });
  await expect(award(committer, "m", "k", 200)).rejects.toMatchObject({ code: "outcome_unknown" });
  await expect(award(committer, "m", "another")).rejects.toMatchObject({ code: "internal" });
});

test("the committer does not let a member with an invalid document, who waits for a lock, affect other commit groups", async () => {
  const store = makeFakeStore();
  const readHeads: LedgerStore["readHeads"] = (refs) =>
    refs.some(({ platformId }) => platformId === "spoilt") ? unreadable(refs) : store.readHeads(refs);
  let rejections = 0;
  const lock: MemberLock = {
    async acquire(members) {
      const granted = new Set(members.filter((member) => rejections > 0 || !member.endsWith("/spoilt")));
      rejections += 1;
      return { granted, seqs: new Map(), release() {} };
    },
  };
  const { committer } = makeHeldCommitter({ store: { ...store, readHeads }, lock });
  const [spoilt, good] = await Promise.allSettled([award(committer, "spoilt"), award(committer, "m")]);
  expect(spoilt).toMatchObject({ status: "rejected", reason: { code: "internal" } });
  expect(good).toMatchObject({ status: "fulfilled", value: { kind: "applied" } });
});

test("the committer rejects an award only after its idempotency key was looked up", async () => {
  const store = makeFakeStore();
  const { committer } = makeHeldCommitter({ store });
  const { entry } = (await award(committer, "m", "k")) as { entry: unknown };
  const { committer: stricter } = makeHeldCommitter({ store, clan: { ...autoClan, autoClan: false } });
  expect(await award(stricter, "m", "another")).toStrictEqual({ kind: "rejected", code: "member_not_found" });
  expect(await award(stricter, "m", "k")).toStrictEqual({ kind: "replayed", entry });
});

test("the committer rejects an award that is invalid in any case, although the commit of its group had no result", async () => {
  const store = makeFakeStore();
  const silent: LedgerStore = {
    ...store,
    commit: async () => ({ kind: "unknown", cause: new Error("the answer was lost") }),
  };
  const { committer } = makeHeldCommitter({ store: silent, clan: { ...autoClan, autoClan: false } });
  const batched = { clanId: "c", amount: 1n, fingerprint: "", apiKeyId: "k", batchId: "bat_1" };
  const submit = (platformId: string) => committer.submit({ ...batched, platformId, key: `bat_1/${platformId}` }, 200);
  const outcomes = await Promise.allSettled([
    submit("a"),
    award(committer, "stranger", "k", 200),
    submit("b"),
    award(committer, "b", "k", 200),
  ]);
  const unknown = { status: "rejected", reason: { code: "outcome_unknown" } };
  const rejected = { status: "fulfilled", value: { kind: "rejected", code: "member_not_found" } };
  expect(outcomes).toMatchObject([unknown, rejected, unknown, rejected]);
});

test("the committer rejects an award because of a removal in its commit group only once the removal is committed", async () => {
  const store = makeFakeStore();
  await store.commit([makeEntry({ platformId: "held", memberSince: new Date(0), membershipCreated: true })]);
  const { committer, commits, release } = makeHeldCommitter({ store, clan: { ...autoClan, autoClan: false } });
  const removal = committer.submit(
    {
      clanId: "c",
      platformId: "held",
      key: "-r",
      kind: "membership",
      ends: true,
      amount: 0n,
      fingerprint: "",
      apiKeyId: "cli",
    },
    DEADLINE_MS,
  );
  const rejected = award(committer, "held", "another");
  let isAnswered = false;
  void rejected.then(() => (isAnswered = true));
  await expect.poll(() => commits).toHaveLength(1);
  // Every answer that does not depend on the commit has been given by then.
  expect(await award(committer, "stranger")).toStrictEqual({ kind: "rejected", code: "member_not_found" });
  expect(isAnswered).toBe(false);
  release();
  expect(await removal).toMatchObject({ kind: "applied", entry: { rank: "Guest", memberSince: null } });
  expect(await rejected).toStrictEqual({ kind: "rejected", code: "member_not_found" });
});

test("the committer applies awards although reads are so slow that each plan is outdated before it is complete", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  const slowMs = 1_700;
  const fake = makeFakeStore();
  const slow: LedgerStore = {
    ...fake,
    // A member's document first, then its entries.
    readHeads: (members) => pause(2 * slowMs).then(() => fake.readHeads(members)),
    advanceHeads: (known) => pause(slowMs).then(() => fake.advanceHeads(known)),
    readEntries: (awards, options) => pause(slowMs).then(() => fake.readEntries(awards, options)),
    commit: (entries) => pause(slowMs).then(() => fake.commit(entries)),
  };
  const { committer } = makeHeldCommitter({ store: slow, slowMs });
  const together = Promise.all(["a", "b"].map((member) => award(committer, member)));
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  expect(await together).toMatchObject([{ kind: "applied" }, { kind: "applied" }]);
});

test("the committer does not commit an award whose deadline passed while the epoch of an old plan was read again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  const slowMs = 1_700;
  const fake = makeFakeStore();
  const slow: LedgerStore = { ...fake, readHeads: (members) => pause(2 * slowMs).then(() => fake.readHeads(members)) };
  const { committer } = makeHeldCommitter({ store: slow, slowMs });
  const together = Promise.allSettled([
    award(committer, "late", "late", 6_000),
    award(committer, "other", "other", 2 * DEADLINE_MS),
  ]);
  await vi.advanceTimersByTimeAsync(2 * DEADLINE_MS);
  expect(await together).toMatchObject([
    { status: "rejected", reason: { code: "busy" } },
    { status: "fulfilled", value: { kind: "applied" } },
  ]);
  expect(fake.entries().map(({ platformId }) => platformId)).toStrictEqual(["other"]);
});

test("the committer commits small groups one at a time while throttled, and at full speed afterwards", async () => {
  let isThrottled = true;
  const { committer, commits, release } = makeHeldCommitter({ isThrottled: () => isThrottled });
  const crowd = (name: string, size: number) =>
    Array.from({ length: size }, (_, index) => award(committer, `${name}${index}`));
  const held = award(committer, "held");
  const first = crowd("a", AWARDS_PER_GROUP_THROTTLED + 20);
  await expect.poll(() => commits).toHaveLength(1);
  release();
  await Promise.all([held, ...first]);
  expect(commits.map((members) => members.length)).toStrictEqual([AWARDS_PER_GROUP_THROTTLED, 21]);

  isThrottled = false;
  await Promise.all(crowd("b", AWARDS_PER_GROUP_THROTTLED + 20));
  expect(commits[2]).toHaveLength(AWARDS_PER_GROUP_THROTTLED + 20);
});
