// Converts a reset to what the CLI and the dashboard show.
import type { ResetResponse } from "#contract/reset.ts";
import type { Reset } from "#domain/reset.ts";

export function resetResponse({
  reversalId,
  clanId,
  state,
  selection,
  reversed,
  amount,
  ...reset
}: Reset): ResetResponse {
  const { reason, actor, createdAt, finishedAt } = reset;
  return {
    resetId: reversalId,
    clanId,
    status: state,
    at: selection.at.toISOString(),
    keepPercent: selection.keepPercent,
    members: reversed,
    amount: amount.toString(),
    reason,
    createdBy: actor,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
