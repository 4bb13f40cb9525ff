// Cancels a reset that has not begun.
import type { ResetResponse } from "#contract/reset.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

type Props = { reset: ResetResponse; onClose(): void };

export function CancelResetDialog({ reset: { clanId, resetId }, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Cancel reset"
      description="It does not run, and nobody loses XP."
      submit="Cancel reset"
      cancel="Keep it"
      isDanger
      endpoint="cancel-reset"
      sent={{ params: { clanId, resetId } }}
      note={() => ({ title: "Reset cancelled" })}
      refreshes={["list-resets"]}
      onClose={onClose}
    />
  );
}
