// Runs an accepted reversal or reset in steps, each recorded once. Safe to run twice, also concurrently
// (reverse-awards.ts).
//
// Invariant: the awards of a step are read before its attempt begins, and only the attempt that began last records
// it. Two attempts may read different awards, because an entry can be inserted after the time that it contains. A
// step of several reads begins an attempt after each of them.
import type { HasAllUntil } from "#ledger/has-all-until.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { BatchStore } from "#batches/ports.ts";
import { REVERSAL_TURN_MS, REVERSALS_PER_TURN } from "#reversals/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";
import { isReset, type Correction } from "#domain/reset.ts";
import type { ReversalCounts } from "#domain/reversal.ts";
import type { AwardIdOf, AwardSelection, RunStore } from "#reversals/ports.ts";
import { makeIsTooEarly } from "#reversals/is-too-early.ts";
import { makePaceReversals } from "#reversals/pace-reversals.ts";
import { makeReadStep, type ReadStep } from "#reversals/read-step.ts";
import { makeReverseAwards } from "#reversals/reverse-awards.ts";

/**
 * `again`: its turn is over, and it continues after the jobs that wait. `later`: the batch or the reset that it reverses
 * is not done yet, another reset is not, entries from before the time of the reset may still be committed, another
 * worker runs it, too, and continues, or another reversal needs the turn.
 */
export type ReversalTurn = { kind: "done" } | { kind: "again"; clanId: string } | { kind: "later" };

/**
 * Runs the reversal until it is done or its turn is over. Throws AppError `busy`, `unavailable` or `outcome_unknown` if
 * a step could not be settled; then run it again later.
 */
export type RunReversal = (reversalId: string) => Promise<ReversalTurn>;

export function makeRunReversal(deps: {
  reversals: Pick<RunStore, "start" | "putBack" | "begin" | "advance">;
  selection: Pick<AwardSelection, "read" | "resetState" | "isResetBlocked">;
  batches: Pick<BatchStore, "read">;
  committer: Pick<Ledger, "submit">;
  hasAllUntil: HasAllUntil;
  /** Whether reversals must leave capacity of MongoDB to single awards for now. */
  isThrottled: () => boolean;
  clock: Clock;
  awardIdOf: AwardIdOf;
  meter: Meter;
  log: Log;
}): RunReversal {
  const { reversals, clock } = deps;
  const readStep = makeReadStep(deps);
  const pace = makePaceReversals(deps);
  const reverseAwards = makeReverseAwards({ ...deps, pace });
  const isTooEarly = makeIsTooEarly(deps);

  return async (reversalId) => (await pace.turn(() => runTurn(reversalId))) ?? { kind: "later" };

  async function runTurn(reversalId: string): Promise<ReversalTurn> {
    const beganAtMs = clock.monotonicMs();
    let correction = await reversals.start(reversalId, clock.now());
    if (correction && (await isTooEarly(correction))) return { kind: "later" };
    let selectedHere = 0;
    while (correction?.state === "running") {
      if (selectedHere >= REVERSALS_PER_TURN || clock.monotonicMs() - beganAtMs >= REVERSAL_TURN_MS) {
        return pace.wasRejected() ? { kind: "later" } : { kind: "again", clanId: correction.clanId };
      }
      const step = await runStep(correction);
      if (step === null) return { kind: "later" };
      selectedHere += step.counts.selected;
      correction = step.record;
    }
    return { kind: "done" };
  }

  /**
   * Null if another worker has begun or recorded the same step since, or if the step is too large for the awards that
   * have become active meanwhile.
   */
  async function runStep(before: Correction): Promise<{ counts: ReversalCounts; record: Correction | null } | null> {
    const entriesMax = pace.entriesPerStep();
    const counts: ReversalCounts = { selected: 0, reversed: 0, skipped: 0, amount: 0n };
    let correction: Correction | null = before;
    let step: Awaited<ReturnType<ReadStep>> = { awards: [], next: null };
    do {
      const options: Parameters<ReadStep>[2] = { entriesMax, after: step.after };
      step = await pace.run(() => readStep(before.selection, before.position, options));
      if (step.awards.length > 0) correction = await reversals.begin(correction);
      const isLarge = entriesMax === undefined;
      const group = correction && (await reverseAwards(correction, step.awards, { isLarge }));
      if (!correction || !group) return null;
      counts.selected += step.awards.length;
      counts.reversed += group.reversed;
      counts.amount += group.amount;
    } while (step.after);
    counts.skipped = counts.selected - counts.reversed;
    const { added, correction: record } = await reversals.advance(correction, { ...counts, next: step.next });
    if (!added) return null;
    if (record?.state === "done") noteDone(deps, record);
    return { counts, record };
  }
}

function noteDone({ meter, log }: { meter: Meter; log: Log }, correction: Correction): void {
  const { reversalId, clanId, selected, reversed, skipped, amount } = correction;
  if (isReset(correction)) {
    const fields = { resetId: reversalId, clanId, members: reversed, amount: amount.toString() };
    meter.resetDone();
    log.info(fields, "reset.completed");
    return;
  }
  meter.reversalDone(reversed, skipped);
  log.info({ reversalId, clanId, selected, reversed, skipped }, "reversal.completed");
}
