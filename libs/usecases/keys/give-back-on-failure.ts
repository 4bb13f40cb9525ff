// The XP that a claim has counted is given back where its awards are certainly not applied.
import { AppError } from "#domain/app-error.ts";

/** Of one award or several, as `refusals` has them. */
type Counted = { refusals: readonly unknown[]; giveBack(indexes: readonly number[]): Promise<void> };

/**
 * Runs `work` and returns what it returns. Where it fails, all of the claim is given back. `maySubmit`: `work` submits
 * the awards, so that after an error which says nothing of them they stay counted.
 */
export async function giveBackOnFailure<T>(
  claim: Counted | null,
  work: () => Promise<T>,
  { maySubmit = false }: { maySubmit?: boolean } = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUnknown = !(error instanceof AppError) || error.code === "outcome_unknown";
    if (!(maySubmit && isUnknown)) await claim?.giveBack([...claim.refusals.keys()]);
    throw error;
  }
}
