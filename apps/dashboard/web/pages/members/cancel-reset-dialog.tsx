// Cancels a reset that has not begun.
import { useMutation } from "@tanstack/react-query";
import type { ResetResponse } from "#contract/reset.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function CancelResetDialog({ reset, onClose }: { reset: ResetResponse; onClose(): void }) {
  const { clanId, resetId } = reset;
  const invalidate = useInvalidate();
  const toast = useToast();
  const cancel = useMutation({
    mutationFn: () => call("cancel-reset", { params: { clanId, resetId } }),
    onSuccess() {
      toast({ title: "Reset cancelled" });
      onClose();
    },
    onSettled: () => invalidate("list-resets"),
  });
  return (
    <FormDialog
      title="Cancel reset"
      description="It does not run, and nobody loses XP."
      error={cancel.error}
      submit="Cancel reset"
      cancel="Keep it"
      isDanger
      isBusy={cancel.isPending}
      onSubmit={cancel.mutate}
      onClose={onClose}
    />
  );
}
