// Lists the clan's boards; owners make, change and remove them.
import { useState } from "react";
import type { BoardResponse } from "#contract/board.ts";
import type { BoardList } from "#contract/dashboard/boards.ts";
import { useApi } from "../../api/use-api.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { TextLink } from "../../parts/links.tsx";
import { ListPage } from "../../parts/list-page.tsx";
import { Name } from "../../parts/name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { RowMenu } from "../../parts/row-menu.tsx";
import { ZonedTime } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { AddSeasonDialog } from "./add-season-dialog.tsx";
import { BoardDialog } from "./board-dialog.tsx";
import { RemoveBoardDialog } from "./remove-board-dialog.tsx";

const REFRESH_MS = 5_000;

type Open = { dialog: "add" } | { dialog: "edit" | "season" | "remove"; board: BoardResponse };

export function BoardsPage() {
  const { clanId, mayChange } = useClan();
  const list = useApi("list-boards", { params: { clanId } }, { refetchMs: REFRESH_MS });
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <ListPage
      title="Boards"
      about="A board ranks members by the XP that they gain in a period, such as a week. Game servers read it, and its page shows each period."
      noun="board"
      list={list}
      isEmpty={({ boards }) => boards.length === 0}
      invitation="Most clans have one for each week, each month or a season."
      fullText={fullText}
      onAdd={() => setOpen({ dialog: "add" })}
      dialogs={
        <>
          {open?.dialog === "add" ? <BoardDialog clanId={clanId} board={null} onClose={close} /> : null}
          {open?.dialog === "edit" ? <BoardDialog clanId={clanId} board={open.board} onClose={close} /> : null}
          {open?.dialog === "season" ? <AddSeasonDialog clanId={clanId} board={open.board} onClose={close} /> : null}
          {open?.dialog === "remove" ? <RemoveBoardDialog clanId={clanId} board={open.board} onClose={close} /> : null}
        </>
      }
    >
      {({ boards }) => (
        <DataTable
          label="Boards"
          columns={columnsFor(clanId)}
          rows={boards}
          keyOf={({ boardId }) => boardId}
          actionsOf={mayChange && ((board) => <Actions board={board} onOpen={setOpen} />)}
        />
      )}
    </ListPage>
  );
}

function fullText({ boards, max }: BoardList): string | null {
  return boards.length >= max ? `A clan has at most ${max} boards. Remove one to add another.` : null;
}

function columnsFor(clanId: string): Column<BoardResponse>[] {
  return [
    {
      header: "Name",
      line: 1,
      cell: ({ boardId, name }) => (
        <TextLink to={boardPath(clanId, boardId)} className="font-medium">
          <Name>{name}</Name>
        </TextLink>
      ),
    },
    { header: "Board ID", line: null, cell: ({ boardId }) => <code className="text-sm">{boardId}</code> },
    { header: "Periods", line: 2, grows: true, cell: (board) => scheduleText(board) },
    {
      header: "Members",
      line: null,
      isNumber: true,
      cell: ({ current }) => (current ? numberText(current.members) : "–"),
    },
    { header: "Ends", line: null, cell: ({ current, timeZone }) => <Ends current={current} timeZone={timeZone} /> },
  ];
}

function boardPath(clanId: string, boardId: string): string {
  return `/clans/${encodeURIComponent(clanId)}/boards/${encodeURIComponent(boardId)}`;
}

function Ends({ current, timeZone }: Pick<BoardResponse, "current" | "timeZone">) {
  if (!current) return <span className="text-muted">no season now</span>;
  return <ZonedTime at={current.endsAt} timeZone={timeZone ?? undefined} />;
}

function scheduleText({ every, on, at, timeZone }: BoardResponse): string {
  if (every === "season") return "Seasons";
  const day =
    every === "day" ? "Every day" : every === "week" ? `Every ${capital(`${on}`)}` : `Every month on day ${on}`;
  return `${day} at ${at}, ${timeZone}`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function Actions({ board, onOpen }: { board: BoardResponse; onOpen(open: Open): void }) {
  const opens = (label: string, dialog: "edit" | "season" | "remove") => ({
    label,
    onChoose: () => onOpen({ dialog, board }),
  });
  const actions = [
    board.every === "season" ? opens("Add season", "season") : [],
    opens("Edit", "edit"),
    opens("Remove", "remove"),
  ].flat();
  return <RowMenu label={`Actions of ${board.name}`} actions={actions} />;
}
