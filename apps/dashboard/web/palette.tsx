// Leads by keyboard to a page, a member or a clan whose name is typed.
import { Autocomplete } from "@base-ui/react/autocomplete";
import { useDeferredValue, useState } from "react";
import { useNavigate } from "react-router";
import type { Me } from "#contract/dashboard/account.ts";
import { NAME_CHARS_MAX } from "#domain/bounds.ts";
import { useApi } from "./api/use-api.ts";
import { pagesFor } from "./pages.tsx";
import { Dialog } from "./parts/dialog.tsx";

/** Of members and of clans: typing more finds others. */
const SHOWN_MAX = 6;

type Place = { label: string; note?: string; to: string };
type Group = { value: string; items: Place[] };
type Props = { me: Me; clanId: string | undefined; onClose(): void };

export function Palette({ me, clanId, onClose }: Props) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed.trim());
  const members = useMembers(clanId, search);
  const clans = useClans(me, search);
  const pages = pagesFor(me, clanId).filter(({ label }) => hasWord(label, search));
  const groups: Group[] = [
    { value: "Pages", items: pages },
    { value: "Members", items: members },
    { value: "Clans", items: clans },
  ].filter(({ items }) => items.length > 0);
  return (
    <Dialog open isAtTop onClose={onClose} title="Go to">
      <Autocomplete.Root
        inline
        open
        items={groups}
        filter={null}
        autoHighlight="always"
        value={typed}
        onValueChange={setTyped}
        itemToStringValue={({ label }: Place) => label}
      >
        <Autocomplete.Input
          autoFocus
          aria-label="Search pages, members and clans"
          placeholder="A page, a member or a clan"
          maxLength={NAME_CHARS_MAX}
          className="field"
        />
        <Autocomplete.List aria-label="Places" className="mt-3 h-80 overflow-y-auto overscroll-contain">
          {(group: Group) => (
            <Autocomplete.Group key={group.value} items={group.items} className="not-first:mt-3">
              <Autocomplete.GroupLabel className="px-2 text-sm text-muted">{group.value}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(place: Place) => (
                  <Autocomplete.Item
                    key={place.to}
                    value={place}
                    onClick={() => {
                      onClose();
                      void navigate(place.to);
                    }}
                    className="group flex cursor-pointer items-baseline gap-2 rounded-lg px-2 py-1.5 data-highlighted:bg-accent data-highlighted:text-on-accent"
                  >
                    <span className="truncate">{place.label}</span>
                    {place.note === undefined ? null : (
                      <span className="truncate text-sm text-muted group-data-highlighted:text-on-accent">
                        {place.note}
                      </span>
                    )}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <Autocomplete.Status className="text-sm text-muted">
          {groups.length === 0 ? `Nothing is named “${search}”.` : ""}
        </Autocomplete.Status>
      </Autocomplete.Root>
    </Dialog>
  );
}

/** Members of the current clan, once something is typed. */
function useMembers(clanId = "", search: string): Place[] {
  const enabled = clanId !== "" && search !== "";
  const { data } = useApi(
    "list-members",
    { params: { clanId }, query: { search } },
    { enabled, keepsPrevious: enabled },
  );
  const found = enabled ? (data?.members.slice(0, SHOWN_MAX) ?? []) : [];
  return found.map(({ platformId, name = null, rank }) => ({
    label: name ?? platformId,
    note: name === null ? rank : `${platformId} · ${rank}`,
    to: `/clans/${encodeURIComponent(clanId)}/members/${encodeURIComponent(platformId)}`,
  }));
}

/** The server searches for those of an operator, who may have thousands. */
function useClans(me: Me, search: string): Place[] {
  const query = search === "" ? {} : { search };
  const { data } = useApi("list-clans", { query }, { enabled: me.hasMoreClans, keepsPrevious: true });
  const known = me.clans.filter((clan) => hasWord(clan.name, search) || hasWord(clan.clanId, search));
  const found = me.hasMoreClans ? (data?.clans ?? []) : known;
  return found.slice(0, SHOWN_MAX).map(({ clanId, name }) => ({
    label: name,
    ...(name === clanId ? {} : { note: clanId }),
    to: `/clans/${encodeURIComponent(clanId)}/overview`,
  }));
}

function hasWord(text: string, typed: string): boolean {
  return text.toLowerCase().includes(typed.toLowerCase());
}
