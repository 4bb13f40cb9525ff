// The column from which an award of a list is reversed: owners reverse any, a moderator what they gave.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { giverOf } from "#domain/moderator.ts";
import type { Column } from "./data-table.tsx";
import { RowMenu } from "./row-menu.tsx";
import { useClan } from "./use-clan.ts";

/** None if the person may reverse no entry of these rows. */
export function useReverseColumn<Entry extends MemberEntry>(
  rows: readonly Entry[],
  onReverse: (entry: Entry) => void,
): Column<Entry>[] {
  const { mayGive, moderator } = useClan();
  const mayReverse = (entry: Entry): boolean => mayGive && (moderator === null || giverOf(entry) === moderator);
  if (!rows.some(mayReverse)) return [];
  return [
    {
      header: "Actions",
      isActions: true,
      cell: (entry) =>
        mayReverse(entry) && isReversible(entry) ? <Reverse onChoose={() => onReverse(entry)} /> : null,
    },
  ];
}

/** Only awards can be reversed, and each of them once. */
function isReversible({ kind, reversedBy }: MemberEntry): boolean {
  return kind === undefined && reversedBy === undefined;
}

function Reverse({ onChoose }: { onChoose(): void }) {
  return <RowMenu label="Actions" actions={[{ label: "Reverse", onChoose }]} />;
}
