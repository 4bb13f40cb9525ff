// Cancels a batch: applied awards stay, and the others are rejected.
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { numberText } from "../../parts/numbers.ts";

type Props = { params: { clanId: string; batchId: string }; onClose(): void };

export function CancelBatchDialog({ params, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Cancel batch"
      description={`Awards of ${params.batchId} that are not applied yet are rejected. Applied awards stay. This cannot be undone.`}
      submit="Cancel batch"
      cancel="Close"
      isDanger
      endpoint="cancel-batch"
      sent={{ params }}
      note={({ applied, cancelled, isDone }) => ({
        title: "Batch cancelled",
        description: isDone
          ? `${numberText(applied)} awards were applied and stay; ${numberText(cancelled)} were cancelled.`
          : "A worker runs it now, and rejects the rest in a moment.",
      })}
      refreshes={["read-queue", "read-batch", "list-batches"]}
      onClose={onClose}
    />
  );
}
