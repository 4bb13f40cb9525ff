// Gives back the XP that a claim has counted, if its awards are certainly not applied.
import { AppError } from "#kernel/app-error.ts";

/** For one award or several, like `rejections`. */
type Counted = { rejections: readonly unknown[]; refund(indexes: readonly number[]): Promise<unknown> };

/**
 * Runs `work` and returns its result. If it fails, the whole claim is refunded. `maySubmit`: `work` submits the
 * awards, so after an error that does not settle them they stay counted.
 */
export async function refundOnFailure<T>(
  claim: Counted | null,
  work: () => Promise<T>,
  { maySubmit = false }: { maySubmit?: boolean } = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUnknown = !(error instanceof AppError) || error.code === "outcome_unknown";
    if (!(maySubmit && isUnknown)) await claim?.refund([...claim.rejections.keys()]);
    throw error;
  }
}
