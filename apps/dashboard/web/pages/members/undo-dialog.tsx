// Undoes what one person did to many members, as a reversal that a worker runs, after a preview of it.
import { useMutation, type UseQueryResult } from "@tanstack/react-query";
import type { ReversalPreview } from "#contract/reversal.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";

type Props = {
  /** Also the name of the button, such as "Undo reset". */
  title: string;
  preview: UseQueryResult<ReversalPreview>;
  effectOf(preview: ReversalPreview): string;
  /** What a worker does then, as a sentence. */
  outcome: string;
  undo(): Promise<unknown>;
  onSettled(): Promise<void>;
  onClose(): void;
};

export function UndoDialog({ title, preview, effectOf, outcome, undo, onSettled, onClose }: Props) {
  const toast = useToast();
  const request = useMutation({
    mutationFn: undo,
    onSuccess() {
      toast({ title: "Undo accepted", description: outcome });
      onClose();
    },
    onSettled,
  });
  const isDone = preview.data?.awards === 0;
  return (
    <FormDialog
      title={title}
      error={request.error}
      submit={title}
      isDisabled={preview.data === undefined || isDone}
      isBusy={request.isPending}
      onSubmit={request.mutate}
      onClose={onClose}
    >
      {preview.isPending ? <Loading what="what would be undone" /> : null}
      {preview.error ? <Failed error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data ? <p>{effectOf(preview.data)}</p> : null}
    </FormDialog>
  );
}
