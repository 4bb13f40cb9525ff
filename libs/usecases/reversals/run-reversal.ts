// Runs an accepted reversal: for each selected award, submits one entry that takes it back to the committer.
//
// Safe to run twice, also concurrently: the key of an award's reversal is derived from the award, and its fingerprint
// is the reversal's id. So an entry that an earlier run made is counted as reversed, and one of another reversal as
// skipped.
import { pause } from "#async/pause.ts";
import { reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { AwardCommitter } from "#usecases/awards/award-committer.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import {
  BATCH_AWARD_DEADLINE_MS,
  REST_MS_MAX,
  REST_SHARE_THROTTLED,
  REVERSAL_TURN_MS,
  REVERSALS_AT_ONCE,
  REVERSALS_PER_TURN,
} from "#usecases/bounds.ts";
import type { Clock, Log, Meter } from "#usecases/ports.ts";
import type { Reversal, ReversalCounts } from "#domain/reversal.ts";
import type { AwardIdOf, AwardSelection, ReversalStore, SelectedAward } from "#usecases/reversals/ports.ts";
import { makeReadStep } from "#usecases/reversals/read-step.ts";

/**
 * `again`: its turn is over, and it continues after the jobs that wait. `later`: the batch that it reverses is not done
 * yet.
 */
export type ReversalTurn = { kind: "done" } | { kind: "again"; clanId: string } | { kind: "later" };

/**
 * Runs the reversal until it is done or its turn is over. Throws AppError `busy`, `unavailable` or `outcome_unknown` if
 * a step could not be settled; then run it again later.
 */
export type RunReversal = (reversalId: string) => Promise<ReversalTurn>;

/** Long: one turn from its steps down to one award; each function is a few lines of the one above it. */
export function makeRunReversal(world: {
  reversals: Pick<ReversalStore, "start" | "advance">;
  selection: Pick<AwardSelection, "read">;
  batches: Pick<BatchStore, "read">;
  committer: Pick<AwardCommitter, "submit">;
  /** Whether reversals must leave capacity of MongoDB to single awards for now. */
  isThrottled: () => boolean;
  clock: Clock;
  awardIdOf: AwardIdOf;
  meter: Meter;
  log: Log;
}): RunReversal {
  const { reversals, committer, clock, awardIdOf } = world;
  const readStep = makeReadStep(world);

  return async function runReversal(reversalId) {
    const beganAtMs = clock.monotonicMs();
    let reversal = await reversals.start(reversalId, clock.now());
    if (reversal && (await isTooEarly(reversal))) return { kind: "later" };
    let selectedHere = 0;
    while (reversal && reversal.state !== "done") {
      if (selectedHere >= REVERSALS_PER_TURN || clock.monotonicMs() - beganAtMs >= REVERSAL_TURN_MS) {
        return { kind: "again", clanId: reversal.clanId };
      }
      const { counts, record } = await runStep(reversal);
      selectedHere += counts.selected;
      reversal = record;
    }
    return { kind: "done" };
  };

  /** Otherwise its worker would apply the rest of the batch after the reversal. */
  async function isTooEarly({ selection: selected }: Reversal): Promise<boolean> {
    if (selected.kind !== "batch") return false;
    const batch = await world.batches.read(selected.batchId);
    return batch?.clanId === selected.clanId && batch.state !== "done";
  }

  async function runStep(reversal: Reversal): Promise<{ counts: ReversalCounts; record: Reversal | null }> {
    const beganAtMs = clock.monotonicMs();
    const { awards, next } = await readStep(reversal.selection, reversal.position);
    const readInMs = clock.monotonicMs() - beganAtMs;
    const counts: ReversalCounts = { selected: awards.length, reversed: 0, skipped: 0 };
    for (let first = 0; first < awards.length; first += REVERSALS_AT_ONCE) {
      counts.reversed += await reverseAll(reversal, awards.slice(first, first + REVERSALS_AT_ONCE));
    }
    counts.skipped = counts.selected - counts.reversed;
    const { added, reversal: record } = await reversals.advance(reversal, { ...counts, next, at: clock.now() });
    if (added && record?.state === "done") noteDone(record);
    // The committer pauses by itself. Reading entries that are not selected must leave capacity as well.
    else if (world.isThrottled()) await pause(Math.min(readInMs * REST_SHARE_THROTTLED, REST_MS_MAX));
    return { counts, record };
  }

  /**
   * How many of them this reversal has reversed. All are awaited before a failure is reported, so that nothing
   * continues in the background.
   */
  async function reverseAll(reversal: Reversal, awards: readonly SelectedAward[]): Promise<number> {
    const outcomes = await Promise.allSettled(
      awards.map((award) => committer.submit(reversalOf(reversal, award), BATCH_AWARD_DEADLINE_MS)),
    );
    return outcomes.reduce((reversed, outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value.kind === "rejected" ? reversed : reversed + 1;
    }, 0);
  }

  function reversalOf(
    { reversalId, clanId, apiKeyId, reason }: Reversal,
    { platformId, seq, key, applied }: SelectedAward,
  ): Award {
    return {
      kind: "reversal",
      clanId,
      platformId,
      key: reversalKey(awardIdOf({ clanId, platformId, seq })),
      reverses: { key, seq },
      fingerprint: reversalId,
      amount: -applied,
      apiKeyId,
      ...(reason === null ? {} : { reason }),
    };
  }

  function noteDone({ reversalId, clanId, selected, reversed, skipped }: Reversal): void {
    world.meter.reversalDone(reversed, skipped);
    world.log.info({ reversalId, clanId, selected, reversed, skipped }, "reversal.completed");
  }
}
