// Submits an award whose XP is counted in a budget. If the award is not applied now, its XP is counted no longer,
// unless the outcome is unknown.
import type { ClaimedAwards } from "#awards/claim-awards.ts";
import { refundOnFailure } from "#keys/refund-on-failure.ts";

/** `submit` throws if the award is rejected. */
export async function submitClaimed<T extends { replayed: boolean }>(
  claim: ClaimedAwards,
  submit: (withinMs: number) => Promise<T>,
): Promise<T> {
  const outcome = await refundOnFailure(claim, () => submit(claim.commitMs()), { maySubmit: true });
  if (outcome.replayed) await claim.refund([0]);
  return outcome;
}
