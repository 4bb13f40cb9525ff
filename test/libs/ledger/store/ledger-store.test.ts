// One suite for the real award store and for the fake of the simulation: both must give the same guarantees.
import { describe, expect, test } from "vitest";
import type { Entry } from "#domain/entry.ts";
import { headAfter, type Head } from "#domain/head.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import { makeFakeStore } from "../../../simulation/fake-store.ts";
import { makeEntry } from "../../../support/entry.ts";
import { examinedIn, profiled } from "../../../support/profiled.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

const at = new Date("2026-11-21T12:00:00Z");
let members = 0;
const newMember = (): MemberRef => ({ clanId: "c", platformId: `p${(members += 1)}` });

/** The member's entry of this number, 5 XP each, a member from the second on. */
function entryOf(member: MemberRef, seq: number, key = `=${seq}`): Entry {
  const xp = BigInt(seq) * 5n;
  const memberSince = seq > 1 ? at : null;
  return makeEntry({
    ...member,
    key,
    source: { placeId: "1" },
    seq,
    xp,
    nextRank: "Recruit",
    xpToNextRank: 100n - xp,
    memberSince,
    at,
  });
}
const chainOf = (member: MemberRef, ...seqs: number[]): Entry[] => seqs.map((seq) => entryOf(member, seq));

async function headOf(store: LedgerStore, member: MemberRef): Promise<Head | null> {
  return (await store.readHeads([member])).get(memberIdOf(member)) ?? null;
}
const headsOf = (...entries: Entry[]): Map<ReturnType<typeof memberIdOf>, Head> =>
  new Map(
    entries
      .flatMap((entry) => [[memberIdOf(entry), headAfter(entry)] as const])
      .filter((pair): pair is [`${string}/${string}`, Head] => pair[1] !== null),
  );

describe.each(["MongoDB", "the simulation's fake"])("award store: %s", (kind) => {
  const store: LedgerStore = kind === "MongoDB" ? makeLedgerStore(world.database) : makeFakeStore();

  test("stores entries exactly as given, with the last one as the head", async () => {
    const member = newMember();
    const entries = chainOf(member, 1, 2);
    expect(await store.commit(entries)).toStrictEqual({ kind: "committed" });
    expect(await headOf(store, member)).toStrictEqual({
      xp: 10n,
      seq: 2,
      membership: { since: at },
      appointedRank: null,
      lastAwardAt: at,
    });
    expect([...((await store.readEntries(entries)).get(memberIdOf(member))?.values() ?? [])]).toStrictEqual(entries);
  });

  test("stores the entries before a conflict and none after it", async () => {
    const [first, clashing, behind] = [newMember(), newMember(), newMember()];
    await store.commit(chainOf(clashing, 1));
    const group = [...chainOf(first, 1, 2), ...chainOf(clashing, 1), ...chainOf(clashing, 2), ...chainOf(behind, 1)];
    expect(await store.commit(group)).toMatchObject({ kind: "conflict", over: "seq", stored: 2 });
    expect((await headOf(store, first))?.seq).toBe(2);
    expect((await headOf(store, clashing))?.seq).toBe(1);
    expect(await headOf(store, behind)).toBeNull();
    expect((await store.readEntries(chainOf(behind, 1))).size).toBe(0);
  });

  test("reports an existing idempotency key as a conflict only for its member", async () => {
    const [member, other] = [newMember(), newMember()];
    await store.commit([entryOf(member, 1, "=a")]);
    expect(await store.commit([entryOf(member, 2, "=a")])).toMatchObject({ kind: "conflict", over: "key", stored: 0 });
    expect((await store.commit([entryOf(other, 1, "=a")])).kind).toBe("committed");
  });

  test("commits exactly one of several concurrent commits of the same seq", async () => {
    const member = newMember();
    const results = await Promise.all(["=a", "=b", "=c", "=d"].map((key) => store.commit([entryOf(member, 1, key)])));
    expect(results.map((result) => result.kind).sort()).toStrictEqual([
      "committed",
      "conflict",
      "conflict",
      "conflict",
    ]);
    expect((await headOf(store, member))?.seq).toBe(1);
  });

  test("returns the newest heads, however far the projection is behind", async () => {
    const [fresh, ahead, level] = [newMember(), newMember(), newMember()];
    const long = Array.from({ length: 200 }, (_, index) => entryOf(ahead, index + 1));
    await store.commit([...chainOf(fresh, 1, 2, 3), ...long, ...chainOf(level, 1, 2)]);
    await store.project(headsOf(entryOf(ahead, 3), entryOf(level, 2)));
    const heads = await store.readHeads([fresh, ahead, level]);
    expect([...heads.values()].map(({ seq, xp }) => [seq, xp])).toEqual(
      expect.arrayContaining([
        [3, 15n],
        [200, 1000n],
        [2, 10n],
      ]),
    );
    const known = headsOf(entryOf(fresh, 3), entryOf(ahead, 190), entryOf(level, 1));
    expect([...(await store.advanceHeads(known)).values()].map(({ seq }) => seq)).toStrictEqual([3, 200, 2]);
  });

  test("returns the head after an entry by the seq of the entry", async () => {
    const [member, other] = [newMember(), newMember()];
    await store.commit([...chainOf(member, 1, 2, 3), ...chainOf(other, 1)]);
    const heads = await store.readHeadsAt(
      new Map([
        [memberIdOf(member), 2],
        [memberIdOf(other), 2],
      ]),
    );
    expect([...heads]).toStrictEqual([[memberIdOf(member), headAfter(entryOf(member, 2))]]);
  });

  test("replaces a projected head only by a newer one", async () => {
    const member = newMember();
    await store.commit(chainOf(member, 1, 2, 3));
    for (const seq of [1, 3, 2]) await store.project(headsOf(entryOf(member, seq)));
    const projected =
      kind === "MongoDB"
        ? await world.database
            .db()
            .collection<MemberDoc>("members")
            .findOne({ _id: memberIdOf(member) })
        : null;
    if (projected)
      expect(projected).toStrictEqual({ _id: memberIdOf(member), ...member, ...headAfter(entryOf(member, 3)) });
    expect((await headOf(store, member))?.seq).toBe(3);
  });

  test("returns nothing for reads of no members", async () => {
    expect((await store.readHeads([])).size).toBe(0);
    expect((await store.readEntries([])).size).toBe(0);
    expect((await store.readHeadsAt(new Map())).size).toBe(0);
    expect(await headOf(store, newMember())).toBeNull();
  });
});

describe("award store on MongoDB", () => {
  const store = makeLedgerStore(world.database);
  const ledger = () => world.database.db().collection<EntryDoc>("ledger");
  const documents = () => world.database.db().collection<MemberDoc>("members");

  test("looks many awards up by their idempotency keys, and reads no other entry of their clan", async () => {
    const [clanId, ofClan, requested] = ["many", 500, 500];
    const entries = Array.from({ length: 4_000 }, (_, index) => {
      const member = { clanId, platformId: `m${index % ofClan}` };
      const seq = Math.floor(index / ofClan) + 1;
      return makeEntry({ ...member, seq, key: `=${index}`, at: new Date(at.getTime() + index) });
    });
    await ledger().insertMany(entries.map(docOfEntry), { ordered: false });
    // The oldest of the clan: the index by time finds them first.
    const reads = await profiled(world, "ledger", async () => {
      expect((await store.readEntries(entries.slice(0, requested))).size).toBe(requested);
    });
    expect(examinedIn(reads)).toBe(requested);
  });

  test("distinguishes an award that MongoDB rejects permanently from a conflict, and commits the entries before it", async () => {
    const [first, member] = [newMember(), newMember()];
    const tooLarge = { ...entryOf(member, 1), reason: "x".repeat(17 * 1024 * 1024) };
    const result = await store.commit([entryOf(first, 1), tooLarge]);
    expect(result.kind).toBe("rejected");
    expect((await headOf(store, first)) === null ? 0 : 1).toBe(result.kind === "rejected" ? result.stored : -1);
    expect((await store.commit([entryOf(member, 1)])).kind).toBe("committed");
  });

  test("returns XP at both ends of Int64 unchanged, from the ledger and from the projection", async () => {
    for (const xp of [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n]) {
      const member = newMember();
      const entry = { ...entryOf(member, 1), xp };
      await store.commit([entry]);
      await store.project(headsOf(entry));
      expect((await headOf(store, member))?.xp).toBe(xp);
      expect((await documents().findOne({ _id: memberIdOf(member) }))?.xp).toBe(xp);
    }
  });

  test("updates outdated documents in one statement, keeps newer ones, and returns the heads without one, whatever is in them", async () => {
    const refs = Array.from({ length: 250 }, newMember);
    const entryAt = (index: number, seq: number): Entry => ({
      ...entryOf(refs[index] ?? newMember(), seq),
      xp: BigInt(seq) - 2n ** 63n,
      appointedRank: "$xp",
    });
    // A third of them is new, a third behind, a third ahead.
    await store.project(
      headsOf(...refs.flatMap((_, index) => (index % 3 === 0 ? [] : [entryAt(index, index % 3 === 1 ? 4 : 6)]))),
    );
    const created = await store.projectExisting(headsOf(...refs.map((_, index) => entryAt(index, 5))));
    const found = new Map((await documents().find({}).toArray()).map((doc) => [doc._id, doc]));
    for (const [index, member] of refs.entries()) {
      const id = memberIdOf(member);
      const head = headAfter(entryAt(index, index % 3 === 2 ? 6 : 5));
      expect(created.get(id)).toStrictEqual(index % 3 === 0 ? head : undefined);
      expect(found.get(id)).toStrictEqual(index % 3 === 0 ? undefined : { _id: id, ...member, ...head });
    }
  });

  test("returns the document's membership if the entries contain none, as in version 0.1.0", async () => {
    const member = newMember();
    await store.commit(chainOf(member, 1, 2));
    await store.project(headsOf({ ...entryOf(member, 2), appointedRank: "Officer" }));
    await ledger().updateMany({ "_id.platformId": member.platformId }, { $unset: { memberSince: 1 } });
    const head = { xp: 10n, seq: 2, membership: { since: at }, appointedRank: "Officer", lastAwardAt: at };
    expect(await headOf(store, member)).toStrictEqual(head);
    expect(await store.advanceHeads(new Map([[memberIdOf(member), head]]))).toStrictEqual(
      new Map([[memberIdOf(member), head]]),
    );
    // The number of its lock may name such an entry: it does not contain a whole head.
    expect((await store.readHeadsAt(new Map([[memberIdOf(member), 2]]))).size).toBe(0);
  });

  test("ignores a document that is ahead of its entries", async () => {
    const member = newMember();
    await store.commit(chainOf(member, 1, 2));
    await documents().insertOne({
      _id: memberIdOf(member),
      ...member,
      xp: 99n,
      seq: 9,
      membership: null,
      appointedRank: null,
    });
    expect(await headOf(store, member)).toMatchObject({ xp: 10n, seq: 2 });
  });
});
