// Removes a board with its periods after the person has typed its name.
import type { BoardResponse } from "#contract/board.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

type Props = { clanId: string; board: BoardResponse; onClose(): void };

export function RemoveBoardDialog({ clanId, board: { boardId, name }, onClose }: Props) {
  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      description="Its periods and their final positions are deleted. XP and the ledger stay as they are. A board that is made again counts from the ledger, as far as 400 days back."
      submit="Remove board"
      isDanger
      confirms={name}
      endpoint="remove-board"
      sent={{ params: { clanId, boardId } }}
      note={() => ({ title: `${name} removed` })}
      refreshes={["list-boards"]}
      onClose={onClose}
    />
  );
}
