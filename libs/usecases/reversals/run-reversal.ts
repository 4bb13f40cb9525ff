// Runs an accepted reversal in steps, each recorded once. Safe to run twice, also concurrently (reverse-awards.ts).
//
// Invariant: the awards of a step are read before its attempt begins, and only the attempt that began last records it.
// Two attempts may read different awards, because an entry can be inserted after the time that it contains. A step of
// several reads begins an attempt after each of them.
import type { Ledger } from "#ledger/ledger.ts";
import type { BatchStore } from "#usecases/batches/ports.ts";
import { REVERSAL_TURN_MS, REVERSALS_PER_TURN } from "#usecases/reversals/bounds.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import type { Meter } from "#usecases/ports.ts";
import type { Reversal, ReversalCounts } from "#domain/reversal.ts";
import type { AwardIdOf, AwardSelection, ReversalStore } from "#usecases/reversals/ports.ts";
import { makePaceReversals } from "#usecases/reversals/pace-reversals.ts";
import { makeReadStep, type ReadStep } from "#usecases/reversals/read-step.ts";
import { makeReverseAwards } from "#usecases/reversals/reverse-awards.ts";

/**
 * `again`: its turn is over, and it continues after the jobs that wait. `later`: the batch that it reverses is not done
 * yet, another worker runs it, too, and continues, or another reversal needs the turn.
 */
export type ReversalTurn = { kind: "done" } | { kind: "again"; clanId: string } | { kind: "later" };

/**
 * Runs the reversal until it is done or its turn is over. Throws AppError `busy`, `unavailable` or `outcome_unknown` if
 * a step could not be settled; then run it again later.
 */
export type RunReversal = (reversalId: string) => Promise<ReversalTurn>;

export function makeRunReversal(deps: {
  reversals: Pick<ReversalStore, "start" | "begin" | "advance">;
  selection: Pick<AwardSelection, "read">;
  batches: Pick<BatchStore, "read">;
  committer: Pick<Ledger, "submit">;
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

  return async (reversalId) => (await pace.turn(() => runTurn(reversalId))) ?? { kind: "later" };

  async function runTurn(reversalId: string): Promise<ReversalTurn> {
    const beganAtMs = clock.monotonicMs();
    let reversal = await reversals.start(reversalId, clock.now());
    if (reversal && (await isTooEarly(deps.batches, reversal))) return { kind: "later" };
    let selectedHere = 0;
    while (reversal && reversal.state !== "done") {
      if (selectedHere >= REVERSALS_PER_TURN || clock.monotonicMs() - beganAtMs >= REVERSAL_TURN_MS) {
        return pace.wasRejected() ? { kind: "later" } : { kind: "again", clanId: reversal.clanId };
      }
      const step = await runStep(reversal);
      if (step === null) return { kind: "later" };
      selectedHere += step.counts.selected;
      reversal = step.record;
    }
    return { kind: "done" };
  }

  /**
   * Null if another worker has begun or recorded the same step since, or if the step is too large for the awards that
   * have become active meanwhile.
   */
  async function runStep(before: Reversal): Promise<{ counts: ReversalCounts; record: Reversal | null } | null> {
    const entriesMax = pace.entriesPerStep();
    const counts: ReversalCounts = { selected: 0, reversed: 0, skipped: 0 };
    let reversal: Reversal | null = before;
    let step: Awaited<ReturnType<ReadStep>> = { awards: [], next: null };
    do {
      const options: Parameters<ReadStep>[2] = { entriesMax, after: step.after };
      step = await pace.run(() => readStep(before.selection, before.position, options));
      if (step.awards.length > 0) reversal = await reversals.begin(reversal);
      const reversed = reversal && (await reverseAwards(reversal, step.awards, { isLarge: entriesMax === undefined }));
      if (!reversal || reversed === null) return null;
      counts.selected += step.awards.length;
      counts.reversed += reversed;
    } while (step.after);
    counts.skipped = counts.selected - counts.reversed;
    const { added, reversal: record } = await reversals.advance(reversal, { ...counts, next: step.next });
    if (!added) return null;
    if (record?.state === "done") noteDone(record);
    return { counts, record };
  }

  function noteDone({ reversalId, clanId, selected, reversed, skipped }: Reversal): void {
    deps.meter.reversalDone(reversed, skipped);
    deps.log.info({ reversalId, clanId, selected, reversed, skipped }, "reversal.completed");
  }
}

/** Otherwise its worker would apply the rest of the batch after the reversal. */
async function isTooEarly(batches: Pick<BatchStore, "read">, { selection: selected }: Reversal): Promise<boolean> {
  if (selected.kind !== "batch") return false;
  const batch = await batches.read(selected.batchId);
  return batch?.clanId === selected.clanId && batch.state !== "done";
}
