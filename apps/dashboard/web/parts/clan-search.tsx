// Selects one of all clans, of which an operator may have thousands: the server searches for those that match the typed
// text.
import { Combobox } from "@base-ui/react/combobox";
import { useDeferredValue, useState } from "react";
import { NAME_CHARS_MAX } from "#domain/bounds.ts";
import { useApi } from "../api/use-api.ts";
import { errorText } from "./error-texts.ts";

type ClanName = { clanId: string; name: string };
type Props = {
  /** The id of the button, for its label. */
  id: string;
  clanId: string | undefined;
  /** Clans whose names are already known. */
  known: readonly ClanName[];
  onChoose(clanId: string): void;
};

export function ClanSearch({ id, clanId, known, onChoose }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed.trim());
  const query = search === "" ? {} : { search };
  const list = useApi("list-clans", { query }, { enabled: isOpen, keepsPrevious: true });
  return (
    <Combobox.Root
      items={list.data?.clans ?? []}
      filter={null}
      autoHighlight
      value={useClanName(clanId, known)}
      isItemEqualToValue={(item: ClanName, value: ClanName) => item.clanId === value.clanId}
      itemToStringLabel={({ name }: ClanName) => name}
      onValueChange={(chosen) => chosen && onChoose(chosen.clanId)}
      onInputValueChange={setTyped}
      onOpenChange={setIsOpen}
    >
      <Combobox.Trigger id={id} className="field flex items-center justify-between gap-2 text-left">
        <span className="truncate">
          <Combobox.Value placeholder="Choose a clan" />
        </span>
        <Combobox.Icon className="shrink-0 text-muted">
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className="fill-none stroke-current">
            <path d="m4 6 4 4 4-4" strokeWidth="1.5" />
          </svg>
        </Combobox.Icon>
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4} className="z-40">
          <Combobox.Popup
            aria-label="Clans"
            className="flex max-h-(--available-height) w-80 max-w-(--available-width) flex-col rounded-xl border border-line bg-panel p-2 shadow-xl"
          >
            <Combobox.Input
              aria-label="Search all clans"
              placeholder="Search by name or clan ID"
              maxLength={NAME_CHARS_MAX}
              className="field shrink-0"
            />
            <Combobox.List className="mt-2 max-h-80 overflow-y-auto overscroll-contain empty:hidden">
              {(clan: ClanName) => <Choice key={clan.clanId} clan={clan} />}
            </Combobox.List>
            <Combobox.Status className="px-2 pt-2 text-sm text-muted empty:hidden">
              {list.error ? errorText(list.error) : noteOf(list.data, search)}
            </Combobox.Status>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function Choice({ clan }: { clan: ClanName }) {
  return (
    <Combobox.Item
      value={clan}
      className="cursor-pointer rounded-lg px-2 py-1.5 data-highlighted:bg-sunken data-selected:font-semibold"
    >
      <span className="block wrap-anywhere">{clan.name}</span>
      {clan.name === clan.clanId ? null : (
        <span className="block font-mono text-sm font-normal break-all text-muted">{clan.clanId}</span>
      )}
    </Combobox.Item>
  );
}

/** The clan with its name, or with its id until the name is known. */
function useClanName(clanId: string | undefined, known: readonly ClanName[]): ClanName | null {
  const listed = known.find((clan) => clan.clanId === clanId);
  const isUnknown = clanId !== undefined && listed === undefined;
  const found = useApi("list-clans", { query: { search: clanId } }, { enabled: isUnknown });
  if (clanId === undefined) return null;
  return listed ?? found.data?.clans.find((clan) => clan.clanId === clanId) ?? { clanId, name: clanId };
}

/** Notes that the list itself does not contain. */
function noteOf(data: { clans: readonly unknown[]; nextCursor: string | null } | undefined, search: string): string {
  if (!data) return "";
  if (data.clans.length === 0) return `No name or clan ID contains “${search}”.`;
  if (data.nextCursor === null) return "";
  return `The first ${data.clans.length} are listed. Type more of the name or clan ID to find others.`;
}
