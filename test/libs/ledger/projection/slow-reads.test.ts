// What recovery and rebuilding write of members who are erased while they read.
import { expect, test } from "vitest";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import { PLAN_AGE_MAX_MS } from "#ledger/bounds.ts";
import { makeRebuildMembers } from "#ledger/rebuild-members.ts";
import { makeRecoverProjections } from "#ledger/recover-projections.ts";
import type { Clock } from "#kernel/clock.ts";
import { makeFakeStore } from "../../../simulation/fake-store.ts";
import { makeEntry } from "../../../support/entry.ts";
import { silentLog } from "../../../support/silent-log.ts";

const member = { clanId: "c", platformId: "p" };

/** A ledger of one member, whose heads are read so slowly that an erasure of them begins and ends meanwhile. */
async function makeSlowWorld() {
  const store = makeFakeStore();
  await store.commit([makeEntry(member)]);
  let nowMs = 0;
  const clock: Clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs, agingMs: () => nowMs };
  async function readHeads(members: readonly MemberRef[]) {
    const heads = await store.readHeads(members);
    nowMs += PLAN_AGE_MAX_MS + 1;
    await store.chain.fence("erasure", member);
    await store.epochs.draw();
    await store.chain.erase("erasure", member);
    return heads;
  }
  const shared = {
    epochs: store.epochs,
    reader: {
      async *listChanged() {
        yield [{ ...member, firstSeq: 1 }];
      },
    },
    clans: { list: async () => [] },
    clock,
  };
  return { store, shared, readHeads };
}

test("recovery does not project a member who was erased while their head was read", async () => {
  const { store, shared, readHeads } = await makeSlowWorld();
  const dead = { processId: "dead", projectedTo: new Date(0), seenAt: new Date(0), claimedBy: "worker" };
  const recover = makeRecoverProjections({
    ...shared,
    store: { readHeads, project: store.project },
    processes: {
      claimSilent: async () => dead,
      renewClaim: async () => true,
      endClaim: async () => {},
    },
    workerId: dead.claimedBy,
    log: silentLog,
  });
  await expect(recover()).rejects.toMatchObject({ code: "unavailable" });
  expect(store.projected(member)).toBeUndefined();
});

test("rebuilding does not project a member who was erased while their head was read", async () => {
  const { store, shared, readHeads } = await makeSlowWorld();
  const rebuildMembers = makeRebuildMembers({
    ...shared,
    store: {
      async rebuild(members, beforeWrite) {
        const heads = await readHeads(members);
        await beforeWrite();
        await store.project(heads);
        return heads.size;
      },
    },
  });
  await expect(rebuildMembers({ clanId: "c" })).rejects.toMatchObject({ code: "unavailable" });
  expect([memberIdOf(member), store.projected(member)]).toEqual(["c/p", undefined]);
});
