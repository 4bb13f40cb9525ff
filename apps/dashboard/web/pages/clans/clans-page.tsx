// All clans, for operators: searches for clans, opens and creates them, and changes their settings.
import { useDeferredValue, useState } from "react";
import { NAME_CHARS_MAX } from "#domain/bounds.ts";
import type { ClanFacts } from "#contract/dashboard/clans.ts";
import { useMe } from "../../api/use-me.ts";
import { usePages } from "../../api/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Page } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { TextLink } from "../../parts/links.tsx";
import { useAskedDialog } from "../../parts/use-asked-dialog.ts";
import { Accounts } from "./accounts-section.tsx";
import { ClanSettingsDialog } from "./clan-settings-dialog.tsx";
import { CreateClanDialog } from "./create-clan-dialog.tsx";

/** How soon changes by other people and by the command line are shown. */
const REFRESH_MS = 5_000;
const RANKS_SHOWN = 5;

type Open = { dialog: "create" } | { dialog: "settings"; clan: ClanFacts };

export function ClansPage() {
  const isOperator = useMe().data?.operator === true;
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState<Open | null>(null);
  const search = useDeferredValue(typed.trim());
  const close = (): void => setOpen(null);
  const create = (): void => setOpen({ dialog: "create" });
  useAskedDialog<"clans">(["create"], create);
  return (
    <Page
      title="Clans"
      actions={
        isOperator ? (
          <Button kind="primary" onClick={create}>
            Create clan
          </Button>
        ) : null
      }
    >
      <SearchField
        label="Search clans"
        placeholder="Search by name or clan ID"
        value={typed}
        onChange={setTyped}
        maxLength={NAME_CHARS_MAX}
      />
      <Clans search={search} onCreate={create} onSettings={(clan) => setOpen({ dialog: "settings", clan })} />
      {isOperator ? <Accounts /> : null}
      {open?.dialog === "create" ? <CreateClanDialog onClose={close} /> : null}
      {open?.dialog === "settings" ? <ClanSettingsDialog clan={open.clan} onClose={close} /> : null}
    </Page>
  );
}

type ClansProps = { search: string; onCreate(): void; onSettings(clan: ClanFacts): void };

function Clans({ search, onCreate, onSettings }: ClansProps) {
  const list = usePages("list-clans", { query: search === "" ? {} : { search } }, { refetchMs: REFRESH_MS });
  return (
    <PagedTable
      list={list}
      what="the clans"
      label="Clans"
      columns={columns}
      rows={list.data?.pages.flatMap((page) => page.clans) ?? []}
      keyOf={({ clanId }) => clanId}
      actionsOf={(clan) => (
        <span className="flex justify-end">
          <Button size="small" onClick={() => onSettings(clan)}>
            Settings<span className="sr-only"> of {clan.name}</span>
          </Button>
        </span>
      )}
      empty={<NoClans search={search} onCreate={onCreate} />}
      more="Show more"
    />
  );
}

function NoClans({ search, onCreate }: { search: string; onCreate(): void }) {
  if (search !== "") return <Empty title="No clans found.">No name or clan ID contains “{search}”.</Empty>;
  return <Empty title="No clans yet." action={<Button onClick={onCreate}>Create the first clan</Button>} />;
}

const columns: Column<ClanFacts>[] = [
  {
    header: "Name",
    line: 1,
    cell: ({ clanId, name }) => (
      <TextLink to={`/clans/${encodeURIComponent(clanId)}/overview`} className="font-medium">
        {name}
      </TextLink>
    ),
  },
  { header: "Clan ID", line: 2, cell: ({ clanId }) => <CopyId id={clanId} what="clan ID" /> },
  { header: "Kind", line: 1, cell: ({ autoClan }) => <Kind isAuto={autoClan} /> },
  { header: "Ranks", line: null, cell: ({ ranks }) => <Ranks names={ranks.map(({ name }) => name)} /> },
];

function Kind({ isAuto }: { isAuto: boolean }) {
  const title = isAuto
    ? "XP is stored for every player, and a player who reaches the lowest threshold becomes a member."
    : "XP is stored for members only, whom an owner adds.";
  return (
    <span title={title} className="whitespace-nowrap">
      {isAuto ? "Auto Clan" : "Members only"}
    </span>
  );
}

function Ranks({ names }: { names: readonly string[] }) {
  const more = names.length - RANKS_SHOWN;
  return (
    <span title={names.join(", ")} className="wrap-anywhere">
      {names.slice(0, RANKS_SHOWN).join(", ")}
      {more > 0 ? <span className="text-muted"> and {more} more</span> : null}
    </span>
  );
}
