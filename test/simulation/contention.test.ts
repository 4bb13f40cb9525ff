// When a process takes locks, and when it goes without.
import { expect, test } from "vitest";
import { noLock } from "#lock/no-lock.ts";
import type { MemberId } from "#domain/member-id.ts";
import type { AwardCommitter } from "#usecases/awards/award-committer.ts";
import type { MemberLock } from "#usecases/awards/ports.ts";
import { CONTENTION_FREE_LOCKS } from "#usecases/awards/bounds.ts";
import { makeEntry } from "../support/entry.ts";
import { makeFakeStore, type FakeStore } from "./fake-store.ts";
import { award, makeHeldCommitter } from "./held-committer.ts";

type Locking = {
  committer: AwardCommitter;
  fake: FakeStore;
  /** Members locked since the last call. */
  locked: () => MemberId[];
};

/** `holds`: what another process holds. */
function makeLocking({ holds = [] }: { holds?: MemberId[] } = {}): Locking {
  const fake = makeFakeStore();
  let locked: MemberId[] = [];
  const lock: MemberLock = {
    async acquire(members) {
      locked.push(...members);
      return { ...(await noLock.acquire(members)), granted: new Set(members.filter((id) => !holds.includes(id))) };
    },
  };
  const { committer } = makeHeldCommitter({ store: fake, lock });
  return {
    committer,
    fake,
    locked() {
      const now = locked;
      locked = [];
      return now;
    },
  };
}

async function awardMany(committer: AwardCommitter, members: number): Promise<void> {
  await Promise.all(Array.from({ length: members }, (_, index) => award(committer, `other ${index}`)));
}

test("after enough locks that showed no other process none is taken, and one conflict brings them back", async () => {
  const { committer, fake, locked } = makeLocking();
  await award(committer, "m", "1");
  await awardMany(committer, CONTENTION_FREE_LOCKS - 2);
  locked();
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual(["c/m"]);
  await award(committer, "m", "3");
  expect(locked()).toStrictEqual([]);

  await fake.commit([makeEntry({ platformId: "m", seq: 4, key: "of another process", xp: 9n })]);
  expect(await award(committer, "m", "5")).toMatchObject({ kind: "applied", entry: { seq: 5, xp: 10n } });
  expect(locked()).toStrictEqual([]);
  await award(committer, "m", "6");
  await awardMany(committer, CONTENTION_FREE_LOCKS - 1);
  expect(locked()).toHaveLength(CONTENTION_FREE_LOCKS);
  await award(committer, "m", "7");
  expect(locked()).toStrictEqual([]);
});

test("a retry of an applied award, which conflicts by its key, brings no lock back", async () => {
  const { committer, locked } = makeLocking();
  await award(committer, "m", "1");
  await awardMany(committer, CONTENTION_FREE_LOCKS);
  locked();
  expect(await award(committer, "m", "1")).toMatchObject({ kind: "replayed" });
  await award(committer, "m", "2");
  expect(locked()).toStrictEqual([]);
});

test("a lock that another process holds shows that process: locks are taken on", async () => {
  const { committer, locked } = makeLocking({ holds: ["c/held by another"] });
  await awardMany(committer, CONTENTION_FREE_LOCKS - 1);
  await award(committer, "held by another");
  locked();
  await award(committer, "m");
  expect(locked()).toStrictEqual(["c/m"]);
});
