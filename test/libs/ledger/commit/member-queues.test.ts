// What operators learn of an award that cannot be committed: once, and without its member's name.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CONFLICT_PAUSE_MAX_MS, CONFLICTS_REPORTED_AT } from "#ledger/bounds.ts";
import { makeMemberQueues } from "#ledger/commit/member-queues.ts";
import { makePendingAward } from "#ledger/commit/pending-award.ts";
import { makeEntry } from "../../../support/entry.ts";
import { silentLog } from "../../../support/silent-log.ts";

const RETURNS = 2 * CONFLICTS_REPORTED_AT;
const DEADLINE_MS = 60_000;

/** Takes and returns one award as often as no commit would in practice, and lists what was logged. */
async function returnOften({ held }: { held: boolean }): Promise<[object, string][]> {
  const logged: [object, string][] = [];
  const log = { ...silentLog, warn: (facts: object, event: string) => void logged.push([facts, event]) };
  const queues = makeMemberQueues({ random: () => 0, log, onReady: () => {} });
  const entry = makeEntry();
  const pending = makePendingAward(entry, DEADLINE_MS, {
    step: null,
    resolve() {},
    reject() {},
    closed() {},
  });
  if (held) pending.blocked();
  queues.add(pending);
  for (let count = 0; count < RETURNS; count += 1) {
    for (const [queue, awards] of queues.take(1)) queues.requeue(queue, awards);
    await vi.advanceTimersByTimeAsync(CONFLICT_PAUSE_MAX_MS);
  }
  return logged;
}

describe("an award that repeatedly returns from commit groups", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("is logged once, with its clan and without its member, whose ID is personal data", async () => {
    const { clanId } = makeEntry();
    expect(await returnOften({ held: false })).toStrictEqual([
      [{ clanId, returns: CONFLICTS_REPORTED_AT }, "award.repeated_conflicts"],
    ]);
  });

  test("is not logged while its member is being erased, because it has to wait for that", async () => {
    expect(await returnOften({ held: true })).toStrictEqual([]);
  });
});
