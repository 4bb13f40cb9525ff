// The chain of a member who is being erased: whichever of its entries a process reads, it decides nothing. Held against
// MongoDB and against the simulation's fake, because what holds for the one must hold for the other.
import { describe, expect, test } from "vitest";
import type { MemberRef } from "#domain/member-id.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeErasureParts } from "#erasure/store/erasure-parts.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import type { ChainErasure } from "#erasure/ports.ts";
import { makeFakeStore } from "../../../simulation/fake-store.ts";
import { testActor } from "../../../support/actor.ts";
import { makeEntry } from "../../../support/entry.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

/** More than one transaction marks. */
const ENTRIES = 1_001;

describe.each(["MongoDB", "the simulation's fake"])("erasing a chain in %s", (kind) => {
  const fake = makeFakeStore();
  const store: LedgerStore = kind === "MongoDB" ? makeLedgerStore(world.database) : fake;
  const chain: ChainErasure = kind === "MongoDB" ? makeErasureParts(world.database).chain : fake.chain;

  async function fence(erasureId: string, member: MemberRef): Promise<void> {
    await makeErasureParts(world.database).erasures.begin({ erasureId, ...member }, testActor);
    await chain.fence(erasureId, member);
  }

  const commit = (member: MemberRef, count: number) =>
    store.commit(
      Array.from({ length: count }, (_, index) => makeEntry({ ...member, seq: index + 1, key: `=${index}` })),
    );

  /** What a lock with this number leads to. */
  const isErasingAt = async (member: MemberRef, seq: number): Promise<boolean | undefined> => {
    const head = (await store.readHeadsAt(new Map([[memberIdOf(member), seq]]))).get(memberIdOf(member));
    return head && head.erasing === true;
  };

  test("marks every entry, so that each seq of a lock reveals the erasure", async () => {
    const member = { clanId: "c", platformId: "marked" };
    await commit(member, ENTRIES);
    await fence("era_marked", member);
    await chain.mark("era_marked", member);
    for (const seq of [1, 2, ENTRIES - 1, ENTRIES, ENTRIES + 1]) expect(await isErasingAt(member, seq)).toBe(true);
  });

  test("does not mark entries of another member or of a completed erasure", async () => {
    const [member, neighbour] = [
      { clanId: "c", platformId: "anew" },
      { clanId: "c", platformId: "anew2" },
    ];
    await commit(member, 2);
    await commit(neighbour, 2);
    await fence("era_anew", member);
    await chain.mark("era_anew", member);
    await chain.erase("era_anew", member);
    expect(await isErasingAt(member, 1)).toBeUndefined();
    await commit(member, 2);
    // Sent by a process that stood still for minutes.
    await chain.mark("era_anew", member);
    expect([await isErasingAt(member, 1), await isErasingAt(neighbour, 2)]).toEqual([false, false]);
  });
});

test("an abandoned erasure is claimed by one worker, oldest first, and by another one after silence", async () => {
  await world.database.db().collection("erasures").deleteMany({});
  const erasures = makeErasureStore(world.database);
  for (const erasureId of ["era_1", "era_2"])
    await erasures.begin({ erasureId, clanId: "c", platformId: erasureId }, testActor, "worker");
  expect(await erasures.unfinished()).toMatchObject({ count: 2 });
  const claim = async (silentMs: number) => (await erasures.claimSilent(silentMs))?.erasureId;
  const claims = await Promise.all([claim(60_000), claim(60_000), claim(60_000)]);
  expect(new Set(claims)).toStrictEqual(new Set(["era_1", "era_2", undefined]));
  expect(await claim(-60_000)).toBe("era_1");
});
