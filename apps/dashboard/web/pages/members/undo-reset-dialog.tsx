// Gives back what a reset has taken, each member's loss once.
import type { ReversalPreview } from "#contract/reversal.ts";
import type { ResetResponse } from "#contract/reset.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { numberText } from "../../parts/numbers.ts";
import { UndoDialog } from "./undo-dialog.tsx";

export function UndoResetDialog({ reset, onClose }: { reset: ResetResponse; onClose(): void }) {
  const params = { clanId: reset.clanId, resetId: reset.resetId };
  const invalidate = useInvalidate();
  return (
    <UndoDialog
      title="Undo reset"
      preview={useApi("preview-undo-reset", { params })}
      effectOf={effectOf}
      outcome="Giving the XP back …"
      undo={() => call("undo-reset", { params })}
      onSettled={() => invalidate("preview-undo-reset", "list-members")}
      onClose={onClose}
    />
  );
}

/** `amount`: what would be taken back, so it is negative. */
function effectOf({ awards, amount }: ReversalPreview): string {
  if (awards === 0) return "There is nothing to give back: the reset is already undone.";
  const members = awards === 1 ? "1 member" : `${numberText(awards)} members`;
  return `Gives ${numberText(-BigInt(amount))} XP back to ${members}. XP that was awarded since stays.`;
}
