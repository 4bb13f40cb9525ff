// Removes a board with its periods after the person has typed its name.
import { useMutation } from "@tanstack/react-query";
import type { BoardResponse } from "#contract/board.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useToast } from "../../parts/toasts.tsx";

type Props = { clanId: string; board: BoardResponse; onClose(): void };

export function RemoveBoardDialog({ clanId, board: { boardId, name }, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call("remove-board", { params: { clanId, boardId } }),
    onSuccess() {
      toast({ title: `${name} removed` });
      onClose();
    },
    onSettled: () => invalidate("list-boards"),
  });
  return (
    <FormDialog
      title={`Remove ${name}`}
      description="Its periods and their final positions are deleted. XP and the ledger stay as they are. A board that is made again counts from the ledger, as far as 400 days back."
      error={remove.error}
      submit="Remove board"
      isDanger
      confirms={name}
      isBusy={remove.isPending}
      onEdit={remove.reset}
      onSubmit={remove.mutate}
      onClose={onClose}
    />
  );
}
