// Leads by keyboard to a page, a member or a clan whose name is typed, and does what pages have a button for.
import { Autocomplete } from "@base-ui/react/autocomplete";
import { useDeferredValue, useState } from "react";
import { useNavigate } from "react-router";
import type { Me } from "#contract/dashboard/account.ts";
import { NAME_CHARS_MAX } from "#domain/bounds.ts";
import { useApi } from "./api/use-api.ts";
import { pagesFor } from "./pages.tsx";
import { actionsFor, type PaletteAction } from "./palette-actions.ts";
import { Dialog } from "./parts/dialog.tsx";
import { useSignOut } from "./use-sign-out.ts";

/** Of members and of clans: typing more finds others. */
const SHOWN_MAX = 6;

type Place = { label: string; note?: string; to: string; state?: { dialog: string } };
type Choice = Place | PaletteAction;
type Group = { value: string; items: Choice[] };
type Props = { me: Me; clanId: string | undefined; onClose(): void };

export function Palette({ me, clanId, onClose }: Props) {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const [typed, setTyped] = useState("");
  /** Of the member who is chosen next. */
  const [ofMember, setOfMember] = useState<{ label: string; dialog: "give" | "take" } | null>(null);
  const search = useDeferredValue(typed.trim());
  const members = useMembers(clanId, search, ofMember !== null);
  const clans = useClans(me, search);
  const pages = pagesFor(me, clanId).filter(({ label }) => hasWord(label, search));
  const actions = actionsFor(me, clanId, () => void signOut()).filter(({ label }) => hasWord(label, search));
  const all: Group[] = [
    { value: "Pages", items: pages },
    { value: "Members", items: members },
    { value: "Actions", items: actions },
    { value: "Clans", items: clans },
  ];
  const groups = all.filter(({ value, items }) => items.length > 0 && (ofMember === null || value === "Members"));
  function choose(choice: Choice): void {
    if ("ofMember" in choice) {
      setOfMember({ label: choice.label, dialog: choice.ofMember });
      setTyped("");
      return;
    }
    onClose();
    if ("run" in choice) choice.run();
    else void navigate(choice.to, { state: ofMember ? { dialog: ofMember.dialog } : choice.state });
  }
  return (
    <Dialog open isAtTop onClose={onClose} title={ofMember?.label ?? "Go to"}>
      <Autocomplete.Root
        inline
        open
        items={groups}
        filter={null}
        autoHighlight="always"
        value={typed}
        // A choice leads somewhere, and is not typed.
        onValueChange={(value, { reason }) => (reason === "item-press" ? null : setTyped(value))}
        itemToStringValue={({ label }: Choice) => label}
      >
        <Autocomplete.Input
          autoFocus
          aria-label={ofMember ? "Search members" : "Search pages, members, actions and clans"}
          placeholder={ofMember ? "A member" : "A page, a member, an action or a clan"}
          maxLength={NAME_CHARS_MAX}
          className="field"
        />
        <Autocomplete.List aria-label="Places" className="mt-3 h-80 overflow-y-auto overscroll-contain">
          {(group: Group) => <Choices key={group.value} group={group} onChoose={choose} />}
        </Autocomplete.List>
        <Autocomplete.Status className="text-sm text-muted">
          {groups.length > 0 ? "" : search === "" ? "Type a name or a player ID." : `Nothing is named “${search}”.`}
        </Autocomplete.Status>
      </Autocomplete.Root>
    </Dialog>
  );
}

function Choices({ group, onChoose }: { group: Group; onChoose(choice: Choice): void }) {
  return (
    <Autocomplete.Group items={group.items} className="not-first:mt-3">
      <Autocomplete.GroupLabel className="px-2 text-sm text-muted">{group.value}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(choice: Choice) => (
          <Autocomplete.Item
            key={`${choice.label} ${"to" in choice ? choice.to : ""}`}
            value={choice}
            onClick={() => onChoose(choice)}
            className="group flex cursor-pointer items-baseline gap-2 rounded-lg px-2 py-1.5 data-highlighted:bg-accent data-highlighted:text-on-accent"
          >
            <span className="truncate">{choice.label}</span>
            {"note" in choice ? (
              <span className="truncate text-sm text-muted group-data-highlighted:text-on-accent">{choice.note}</span>
            ) : null}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

/** Members of the current clan, once something is typed; for an action, the first ones before. */
function useMembers(clanId = "", search: string, forAction: boolean): Place[] {
  const enabled = clanId !== "" && (search !== "" || forAction);
  const { data } = useApi(
    "list-members",
    { params: { clanId }, query: search === "" ? {} : { search } },
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
