// Gives back what a reset has taken, each member's loss once.
import { useMutation } from "@tanstack/react-query";
import type { ResetResponse } from "#contract/reset.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function UndoResetDialog({ reset, onClose }: { reset: ResetResponse; onClose(): void }) {
  const params = { clanId: reset.clanId, resetId: reset.resetId };
  const invalidate = useInvalidate();
  const toast = useToast();
  const preview = useApi("preview-undo-reset", { params });
  const undo = useMutation({
    mutationFn: () => call("undo-reset", { params }),
    onSuccess() {
      toast({ title: "Undo accepted", description: "A worker gives the XP back." });
      onClose();
    },
    onSettled: () => invalidate("preview-undo-reset", "list-members"),
  });
  const isUndone = preview.data?.awards === 0;
  return (
    <FormDialog
      title="Undo reset"
      error={undo.error}
      submit="Undo reset"
      isDisabled={preview.isPending || isUndone}
      isBusy={undo.isPending}
      onSubmit={undo.mutate}
      onClose={onClose}
    >
      {preview.isPending ? <Loading what="what would be given back" /> : null}
      {preview.error ? <Failed error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data ? <p>{effectOf(preview.data)}</p> : null}
    </FormDialog>
  );
}

/** `amount`: what would be taken back, so it is negative. */
function effectOf({ awards, amount }: { awards: number; amount: string }): string {
  if (awards === 0) return "There is nothing to give back: the reset is already undone.";
  const members = awards === 1 ? "1 member" : `${numberText(awards)} members`;
  return `Gives ${numberText(-BigInt(amount))} XP back to ${members}. XP that was awarded since stays.`;
}
