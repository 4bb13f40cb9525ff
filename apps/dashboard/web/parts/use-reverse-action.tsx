// The action that reverses an award of a list: owners reverse any, a moderator what they gave.
import type { ReactNode } from "react";
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { giverOf } from "#domain/moderator.ts";
import { RowMenu } from "./row-menu.tsx";
import { useClan } from "./use-clan.ts";

/** False if the person may reverse no entry of these rows. */
export function useReverseAction<Entry extends MemberEntry>(
  rows: readonly Entry[],
  onReverse: (entry: Entry) => void,
): false | ((entry: Entry) => ReactNode) {
  const { mayGive, moderator } = useClan();
  const mayReverse = (entry: Entry): boolean => mayGive && (moderator === null || giverOf(entry) === moderator);
  if (!rows.some(mayReverse)) return false;
  return (entry) => (mayReverse(entry) && isReversible(entry) ? <Reverse onChoose={() => onReverse(entry)} /> : null);
}

/** Only awards can be reversed, and each of them once. */
function isReversible({ kind, reversedBy }: MemberEntry): boolean {
  return kind === undefined && reversedBy === undefined;
}

function Reverse({ onChoose }: { onChoose(): void }) {
  return <RowMenu label="Actions" actions={[{ label: "Reverse", onChoose }]} />;
}
