// Cancels a batch: applied awards stay, and the others are rejected.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { numberText } from "../../parts/numbers.ts";
import { useToast } from "../../parts/toasts.tsx";

type Props = { params: { clanId: string; batchId: string }; onClose(): void };

export function CancelBatchDialog({ params, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const cancel = useMutation({
    mutationFn: () => call("cancel-batch", { params }),
    onSuccess({ applied, cancelled, isDone }) {
      const description = isDone
        ? `${numberText(applied)} awards were applied and stay; ${numberText(cancelled)} were cancelled.`
        : "A worker runs it now, and rejects the rest in a moment.";
      toast({ title: "Batch cancelled", description });
      onClose();
    },
    onSettled: () => invalidate("read-queue", "read-batch", "list-batches"),
  });
  return (
    <FormDialog
      title="Cancel batch"
      description={`Awards of ${params.batchId} that are not applied yet are rejected. Applied awards stay. This cannot be undone.`}
      error={cancel.error}
      submit="Cancel batch"
      cancel="Close"
      isDanger
      isBusy={cancel.isPending}
      onSubmit={cancel.mutate}
      onClose={onClose}
    />
  );
}
