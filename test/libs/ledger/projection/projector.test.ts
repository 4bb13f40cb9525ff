// The projector while MongoDB is slow: what an erasure deleted meanwhile must not come back.
import { expect, onTestFinished, test } from "vitest";
import { headAfter, NEW_HEAD } from "#domain/head.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { PLAN_AGE_MAX_MS } from "#ledger/bounds.ts";
import { makeProjector, type Projector } from "#ledger/projection/projector.ts";
import { makeFakeStore, type FakeStore } from "../../../simulation/fake-store.ts";
import { makeEntry } from "../../../support/entry.ts";
import { silentLog } from "../../../support/silent-log.ts";

const member = { clanId: "c", platformId: "p" };

/**
 * A projector whose store is so slow in one of its calls that `meanwhile`, done once after the first of them, has ended
 * by then.
 */
function slowProjector(
  store: FakeStore,
  slow: "epoch" | "readHeads" | "projectExisting",
  meanwhile: () => Promise<void>,
): Projector {
  let [nowMs, calls] = [0, 0];
  async function slowed<Result>(name: typeof slow, result: Promise<Result>): Promise<Result> {
    const ended = await result;
    if (name !== slow) return ended;
    nowMs += PLAN_AGE_MAX_MS + 1;
    if ((calls += 1) === 1) await meanwhile();
    return ended;
  }
  const projector = makeProjector({
    store: {
      readHeads: (members) => slowed("readHeads", store.readHeads(members)),
      projectExisting: (heads) => slowed("projectExisting", store.projectExisting(heads)),
      project: store.project,
    },
    epoch: async () => await slowed("epoch", store.epochs.read()),
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs, agingMs: () => nowMs },
    log: silentLog,
  });
  onTestFinished(() => projector.close());
  return projector;
}

test.for(["readHeads", "projectExisting"] as const)(
  "the projector does not project a member who is erased during a slow %s",
  async (slow) => {
    const store = makeFakeStore();
    await store.commit([makeEntry(member)]);
    const projector = slowProjector(store, slow, async () => {
      await store.chain.fence("erasure", member);
      await store.epochs.draw();
      await store.chain.erase("erasure", member);
    });
    projector.recheck([memberIdOf(member)]);
    await expect(projector.flush()).rejects.toThrow("epoch has changed");
    // The member waits again, and is read again in the new epoch.
    expect(projector.waiting()).toBe(1);
    await projector.flush();
    expect([projector.waiting(), store.projected(member)]).toEqual([0, undefined]);
  },
);

test("the projector projects a head that is read slowly within one epoch", async () => {
  const store = makeFakeStore();
  await store.commit([makeEntry(member)]);
  const projector = slowProjector(store, "readHeads", async () => {});
  projector.recheck([memberIdOf(member)]);
  await projector.flush();
  expect(store.projected(member)).toMatchObject({ seq: 1, xp: 5n });
});

test("the projector does not project a head of an erased member, however slowly the epoch is read", async () => {
  const store = makeFakeStore();
  const entry = makeEntry(member);
  await store.commit([entry]);
  const epoch = await store.epochs.read();
  const projector = slowProjector(store, "epoch", async () => {
    await store.chain.fence("erasure", member);
    await store.epochs.draw();
    await store.chain.erase("erasure", member);
  });
  projector.note(new Map([[memberIdOf(member), headAfter(entry) ?? NEW_HEAD]]), epoch);
  await expect(projector.flush()).rejects.toThrow("epoch has changed");
  expect([projector.waiting(), store.projected(member)]).toEqual([1, undefined]);
});

test("the projector counts heads that are being written as not projected, because the process may crash meanwhile", async () => {
  const store = makeFakeStore();
  await store.commit([makeEntry(member)]);
  const ages: number[] = [];
  const projector = slowProjector(store, "projectExisting", async () => void ages.push(projector.oldestAgeMs()));
  projector.recheck([memberIdOf(member)]);
  await projector.flush();
  expect([...ages, projector.oldestAgeMs()]).toEqual([PLAN_AGE_MAX_MS + 1, 0]);
});

test("the projector does not replace a newer pending head by one that was read again in a later epoch", async () => {
  const store = makeFakeStore();
  const entries = [makeEntry(member), makeEntry({ ...member, seq: 2, key: "=2" })];
  for (const entry of entries) await store.commit([entry]);
  const [older = NEW_HEAD, newer = NEW_HEAD] = entries.map((entry) => headAfter(entry) ?? NEW_HEAD);
  const projector = slowProjector(store, "readHeads", async () => {});
  projector.note(new Map([[memberIdOf(member), newer]]), "before");
  projector.note(new Map([[memberIdOf(member), older]]), await store.epochs.read());
  await projector.flush();
  expect(store.projected(member)).toMatchObject({ seq: 2 });
});
