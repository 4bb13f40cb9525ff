// The projector while MongoDB is slow: what an erasure deleted meanwhile must not come back.
import { expect, onTestFinished, test } from "vitest";
import { memberIdOf } from "#domain/member-id.ts";
import { PLAN_AGE_MAX_MS } from "#usecases/bounds.ts";
import { makeProjector, type Projector } from "#usecases/members/projector.ts";
import { makeFakeStore, type FakeStore } from "../../simulation/fake-store.ts";
import { makeEntry } from "../../support/entry.ts";
import { silentLog } from "../../support/silent-log.ts";

const member = { clanId: "c", platformId: "p" };

/** A projector that reads heads so slowly that `meanwhile`, done once after the first read, has ended by then. */
function slowProjector(store: FakeStore, meanwhile: () => Promise<void>): Projector {
  let [nowMs, reads] = [0, 0];
  const projector = makeProjector({
    store: {
      project: store.project,
      async readHeads(members) {
        const heads = await store.readHeads(members);
        nowMs += PLAN_AGE_MAX_MS + 1;
        if ((reads += 1) === 1) await meanwhile();
        return heads;
      },
    },
    epoch: store.epochs.read,
    clock: { now: () => new Date(nowMs), monotonicMs: () => nowMs },
    log: silentLog,
  });
  onTestFinished(() => projector.close());
  return projector;
}

test("a member who is erased while their head is read slowly is not projected", async () => {
  const store = makeFakeStore();
  await store.commit([makeEntry(member)]);
  const projector = slowProjector(store, async () => {
    await store.chain.fence("erasure", member);
    await store.epochs.draw();
    await store.chain.erase("erasure", member);
  });
  projector.suspect([memberIdOf(member)]);
  await expect(projector.flush()).rejects.toThrow("epoch has changed");
  // The member waits again, and is read again in the new epoch.
  expect(projector.waiting()).toBe(1);
  await projector.flush();
  expect([projector.waiting(), store.projected(member)]).toEqual([0, undefined]);
});

test("a head that is read slowly in one epoch is projected", async () => {
  const store = makeFakeStore();
  await store.commit([makeEntry(member)]);
  const projector = slowProjector(store, async () => {});
  projector.suspect([memberIdOf(member)]);
  await projector.flush();
  expect(store.projected(member)).toMatchObject({ seq: 1, xp: 5n });
});
