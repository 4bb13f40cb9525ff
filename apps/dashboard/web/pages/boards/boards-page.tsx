// Lists the clan's boards; owners make, change and remove them.
import { useState } from "react";
import type { BoardResponse } from "#contract/board.ts";
import type { BoardList } from "#contract/dashboard/boards.ts";
import { useApi } from "../../api/use-api.ts";
import { AddButton } from "../../parts/add-button.tsx";
import { Button } from "../../parts/button.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { TextLink } from "../../parts/links.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Name } from "../../parts/name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Empty } from "../../parts/states.tsx";
import { ZonedTime } from "../../parts/time.tsx";
import { useAskedDialog } from "../../parts/use-asked-dialog.ts";
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
  const isFull = !list.data || fullText(list.data) !== null;
  useAskedDialog<"boards">(mayChange ? ["add"] : [], () => setOpen({ dialog: "add" }), !isFull);
  return (
    <Page
      title="Boards"
      actions={
        mayChange && list.data ? (
          <AddButton full={fullText(list.data)} onClick={() => setOpen({ dialog: "add" })}>
            Add board
          </AddButton>
        ) : null
      }
    >
      <p className="mb-5 max-w-prose text-muted">
        A board ranks members by the XP that they gain in a period, such as a week. Game servers read it, and its page
        shows each period.
      </p>
      <Loaded query={list} what="the boards">
        {({ boards }) => <Boards clanId={clanId} boards={boards} mayChange={mayChange} onOpen={setOpen} />}
      </Loaded>
      {open?.dialog === "add" ? <BoardDialog clanId={clanId} board={null} onClose={close} /> : null}
      {open?.dialog === "edit" ? <BoardDialog clanId={clanId} board={open.board} onClose={close} /> : null}
      {open?.dialog === "season" ? <AddSeasonDialog clanId={clanId} board={open.board} onClose={close} /> : null}
      {open?.dialog === "remove" ? <RemoveBoardDialog clanId={clanId} board={open.board} onClose={close} /> : null}
    </Page>
  );
}

function fullText({ boards, max }: BoardList): string | null {
  return boards.length >= max ? `A clan has at most ${max} boards. Remove one to add another.` : null;
}

type BoardsProps = { clanId: string; boards: readonly BoardResponse[]; mayChange: boolean; onOpen(open: Open): void };

function Boards({ clanId, boards, mayChange, onOpen }: BoardsProps) {
  if (boards.length === 0) {
    if (!mayChange) return <Empty title="No boards yet.">An owner of the clan can add one.</Empty>;
    const add = <Button onClick={() => onOpen({ dialog: "add" })}>Add the first board</Button>;
    return (
      <Empty title="No boards yet." action={add}>
        Most clans have one for each week, each month or a season.
      </Empty>
    );
  }
  const actions: Column<BoardResponse>[] = mayChange
    ? [{ header: "Actions", isActions: true, cell: (board) => <Actions board={board} onOpen={onOpen} /> }]
    : [];
  const columns = [...factsFor(clanId), ...actions];
  return <DataTable label="Boards" columns={columns} rows={boards} keyOf={({ boardId }) => boardId} />;
}

function factsFor(clanId: string): Column<BoardResponse>[] {
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
