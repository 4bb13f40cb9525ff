// Cancels a batch: what is applied stays, the rest is rejected.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

export function CancelBatchDialog({
  params,
  onClose,
}: {
  params: { clanId: string; batchId: string };
  onClose(): void;
}) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const cancel = useMutation({
    mutationFn: () => call("cancel-batch", { params }),
    onSuccess({ applied, cancelled, isDone }) {
      const description = isDone
        ? `${applied} awards were applied and stay; ${cancelled} were cancelled.`
        : "A worker runs it now, and rejects the rest in a moment.";
      toast({ title: "Batch cancelled", description });
      onClose();
    },
    onSettled: () => invalidate("read-queue", "read-batch", "list-batches"),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Cancel batch"
      description={`Awards of ${params.batchId} that are not applied yet are rejected. Applied awards stay. This cannot be undone.`}
    >
      {cancel.error ? <Failed error={cancel.error} /> : null}
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel batch
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
