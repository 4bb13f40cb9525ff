// One suite for the real award store and for the fake that the simulation stands on: what holds for the one must hold for the other.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Entry } from "#domain/award.ts";
import { NEW_HEAD, type Head } from "#domain/member.ts";
import { makeAwardStore } from "#store/award-store.ts";
import { memberIdOf, type AwardStore, type MemberCommit } from "#usecases/ports.ts";
import { makeFakeStore } from "../simulation/fake-store.ts";
import { makeEntry } from "../support/entry.ts";
import { makeWorld, type World } from "../support/world.ts";

const at = new Date("2026-11-21T12:00:00Z");
let members = 0;
const newMember = (): { clanId: string; platformId: string } => ({ clanId: "c", platformId: `p${(members += 1)}` });

function entryOf(member: { clanId: string; platformId: string }, seq: number, key: string): Entry {
  const xp = BigInt(seq) * 5n;
  return makeEntry({ ...member, key, source: { placeId: "1" }, seq, xp, nextRank: "Recruit", xpToNextRank: 100n - xp, at });
}

/** One entry more on top of `before`. */
function commitOf(member: { clanId: string; platformId: string }, before: Head | null, key: string, joins = false): MemberCommit {
  const seq = (before?.seq ?? 0) + 1;
  const entry = entryOf(member, seq, key);
  const after: Head = { ...(before ?? NEW_HEAD), xp: entry.xp, seq, ...(joins ? { membership: { since: at } } : {}) };
  return { ...member, before, after, entries: [entry] };
}

async function headOf(store: AwardStore, member: { clanId: string; platformId: string }): Promise<Head | null> {
  return (await store.readHeads([member])).get(memberIdOf(member)) ?? null;
}

describe.each(["MongoDB", "the simulation's fake"])("award store: %s", (kind) => {
  let world: World;
  let store: AwardStore;
  beforeAll(async () => {
    world = await makeWorld();
    store = kind === "MongoDB" ? makeAwardStore(world.database) : makeFakeStore();
  });
  afterAll(() => world.close());

  test("a commit keeps entries and heads exactly as given", async () => {
    const member = newMember();
    const commit = commitOf(member, null, "=a", true);
    expect(await store.commit([commit])).toStrictEqual({ kind: "committed" });
    expect(await headOf(store, member)).toStrictEqual(commit.after);
    const [entry] = commit.entries;
    const entries = await store.readEntries(entry ? [entry] : []);
    expect(entries.get(memberIdOf(member))?.get("=a")).toStrictEqual(entry);
  });

  test("a head that moved on since it was read is a conflict, and nothing of the whole group is written", async () => {
    const [member, bystander] = [newMember(), newMember()];
    await store.commit([commitOf(member, null, "=a")]);
    const stale = await store.commit([commitOf(bystander, null, "=a"), commitOf(member, null, "=b")]);
    expect(stale.kind).toBe("conflict");
    expect((await headOf(store, member))?.seq).toBe(1);
    expect(await headOf(store, bystander)).toBeNull();
    expect((await store.readEntries([entryOf(bystander, 1, "=a")])).size).toBe(0);
  });

  test("a key that stands already is a conflict, for its member alone", async () => {
    const [member, other] = [newMember(), newMember()];
    await store.commit([commitOf(member, null, "=a")]);
    expect((await store.commit([commitOf(member, await headOf(store, member), "=a")])).kind).toBe("conflict");
    expect((await store.commit([commitOf(other, null, "=a")])).kind).toBe("committed");
  });

  test("one of two commits on the same head wins, however close they are", async () => {
    const member = newMember();
    const results = await Promise.all(["=a", "=b", "=c", "=d"].map((key) => store.commit([commitOf(member, null, key)])));
    expect(results.map((result) => result.kind).sort()).toStrictEqual(["committed", "conflict", "conflict", "conflict"]);
    expect((await headOf(store, member))?.seq).toBe(1);
  });

  test("a membership is made once: a head that was read without one is stale when it has one", async () => {
    const member = newMember();
    await store.commit([commitOf(member, null, "=a", true)]);
    const head = await headOf(store, member);
    const unaware = head && { ...head, membership: null };
    expect((await store.commit([commitOf(member, unaware, "=b", true)])).kind).toBe("conflict");
  });

  test("reads of nobody find nothing", async () => {
    expect((await store.readHeads([])).size).toBe(0);
    expect((await store.readEntries([])).size).toBe(0);
    expect(await headOf(store, newMember())).toBeNull();
  });
});

describe("award store: MongoDB alone", () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  test("an award that MongoDB refuses for good is told from one that clashed", async () => {
    const store = makeAwardStore(world.database);
    const member = newMember();
    const commit = commitOf(member, null, "=a");
    const tooLarge = commit.entries.map((entry) => ({ ...entry, reason: "x".repeat(17 * 1024 * 1024) }));
    expect((await store.commit([{ ...commit, entries: tooLarge }])).kind).toBe("refused");
    expect((await store.commit([commit])).kind).toBe("committed");
  });

  test("XP at both ends of Int64 comes back as it went", async () => {
    const store = makeAwardStore(world.database);
    for (const xp of [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n]) {
      const member = newMember();
      const commit = commitOf(member, null, "=a");
      await store.commit([{ ...commit, after: { ...commit.after, xp } }]);
      expect((await headOf(store, member))?.xp).toBe(xp);
    }
  });
});
