// The clan's members: all of them or those of a filter, the standings of a period, who gained XP in a span, and what
// leads to changes.
import { useDeferredValue, useState, type ComponentProps, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { GainSpan } from "#contract/dashboard/gains.ts";
import { idleDays } from "#contract/dashboard/members.ts";
import { isAppointable } from "#domain/rank.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { FilterChips } from "../../parts/filter-chips.tsx";
import { MemberSearch } from "../../parts/member-search.tsx";
import { Page } from "../../parts/page.tsx";
import { RowMenu, type MenuAction } from "../../parts/row-menu.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { useAskedDialog } from "../../parts/use-asked-dialog.ts";
import { useClan } from "../../parts/use-clan.ts";
import { AddMemberDialog } from "./add-member-dialog.tsx";
import { Gains } from "./gains.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { MemberList, queryOf, type MemberFilter } from "./member-list.tsx";
import { CUSTOM, PeriodSelect, type ShownPeriod } from "./period-select.tsx";
import { Standings } from "./standings.tsx";

/** `span` null: the person chooses it. */
type Shown =
  | { kind: "members" }
  | { kind: "standings"; period: ShownPeriod }
  | { kind: "gains"; span: GainSpan | null };

export function MembersPage() {
  const { clanId, mayChange } = useClan();
  const [address, setAddress] = useSearchParams();
  const shown = shownIn(address);
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState<"add" | "import" | null>(null);
  const close = (): void => setOpen(null);
  useAskedDialog<"members">(mayChange ? ["add", "import"] : [], setOpen);
  const ranks = useApi("read-ranks", { params: { clanId } }).data?.ranks ?? [];
  const filter = {
    search: useDeferredValue(typed.trim()),
    rank: address.get("rank") ?? "",
    idleDays: idleDays.find((days) => days === address.get("idle")) ?? "",
  } as const;
  const select = (name: "rank" | "idle", value: string): void =>
    setAddress((before) => withFilter(before, name, value), { replace: true });
  const clear = (): void => {
    setTyped("");
    setAddress((before) => withFilter(withFilter(before, "rank", ""), "idle", ""), { replace: true });
  };
  return (
    <Page
      title="Members"
      actions={
        <Actions onOpen={setOpen}>
          <ExportLink clanId={clanId} shown={shown} filter={filter} />
        </Actions>
      }
    >
      <div className="grid grid-cols-2 items-end gap-x-3 sm:flex sm:flex-wrap sm:gap-x-4">
        <PeriodSelect
          clanId={clanId}
          value={shown.kind === "standings" ? shown.period : shown.kind === "gains" ? CUSTOM : null}
          onChange={(choice) => setAddress(addressOf(choice))}
        />
        {shown.kind === "standings" ? null : (
          <div className="order-first col-span-2 sm:order-none sm:w-72">
            <MemberSearch value={typed} onChange={setTyped} />
          </div>
        )}
        {shown.kind === "members" ? (
          <Filters ranks={ranks.map(({ name }) => name)} filter={filter} onSelect={select} />
        ) : null}
      </div>
      {shown.kind === "standings" ? <Standings clanId={clanId} shown={shown.period} /> : null}
      {shown.kind === "gains" ? (
        <Gains
          clanId={clanId}
          span={shown.span}
          search={filter.search}
          onShow={(span) => setAddress({ ...addressOf(CUSTOM), ...span })}
        />
      ) : null}
      {shown.kind === "members" ? (
        <>
          <FilterChips chips={chipsOf(filter, typed, setTyped, select)} onClear={clear} />
          <MemberList
            filter={filter}
            appointable={ranks.filter(isAppointable).map(({ name }) => name)}
            onAdd={setOpen}
          />
        </>
      ) : null}
      {open === "add" ? <AddMemberDialog clanId={clanId} onClose={close} /> : null}
      {open === "import" ? <ImportDialog clanId={clanId} onClose={close} /> : null}
    </Page>
  );
}

type ActionsProps = { onOpen(open: "add" | "import"): void; children: ReactNode };

function Actions({ onOpen, children }: ActionsProps) {
  const { clanId, mayChange } = useClan();
  const more: MenuAction[] = mayChange ? [{ label: "Import CSV", onChoose: () => onOpen("import") }] : [];
  return (
    <div className="flex flex-wrap gap-2">
      {children}
      {mayChange ? (
        <Button kind="primary" onClick={() => onOpen("add")}>
          Add member
        </Button>
      ) : null}
      <RowMenu
        label="More actions"
        actions={[...more, { label: "Resets", to: `/clans/${encodeURIComponent(clanId)}/resets` }]}
      />
    </div>
  );
}

/** What the page shows is in its address. A span that is not valid is none. */
function shownIn(address: URLSearchParams): Shown {
  const [boardId, periodId] = [address.get("board"), address.get("period")];
  if (boardId && periodId) return { kind: "standings", period: { boardId, periodId } };
  if (periodId !== CUSTOM) return { kind: "members" };
  const span = GainSpan.safeParse({ from: address.get("from"), to: address.get("to") });
  return { kind: "gains", span: span.data ?? null };
}

function addressOf(choice: Parameters<ComponentProps<typeof PeriodSelect>["onChange"]>[0]): Record<string, string> {
  if (choice === CUSTOM) return { period: CUSTOM };
  return choice ? { board: choice.boardId, period: choice.periodId } : {};
}

type ExportProps = { clanId: string; shown: Shown; filter: MemberFilter };

function ExportLink({ clanId, shown, filter }: ExportProps) {
  switch (shown.kind) {
    case "members":
      return (
        <DownloadLink endpoint="export-members" params={{ clanId }} query={queryOf(filter)}>
          Export CSV
        </DownloadLink>
      );
    case "standings":
      return (
        <DownloadLink endpoint="export-standings" params={{ clanId, ...shown.period }}>
          Export CSV
        </DownloadLink>
      );
    case "gains":
      return shown.span ? (
        <DownloadLink endpoint="export-gains" params={{ clanId }} query={shown.span}>
          Export CSV
        </DownloadLink>
      ) : null;
  }
}

type Select = (name: "rank" | "idle", value: string) => void;

function chipsOf({ rank, idleDays: idle }: MemberFilter, typed: string, type: (text: string) => void, select: Select) {
  return [
    typed.trim() === "" ? [] : { name: "Search", value: typed, onRemove: () => type("") },
    rank === "" ? [] : { name: "Rank", value: rank, onRemove: () => select("rank", "") },
    idle === "" ? [] : { name: "Last award", value: idleText(idle), onRemove: () => select("idle", "") },
  ].flat();
}

function idleText(days: string): string {
  return `Not in ${days} days`;
}

/** Keeps the other filter. */
function withFilter(address: URLSearchParams, name: string, value: string): URLSearchParams {
  if (value === "") address.delete(name);
  else address.set(name, value);
  return address;
}

type Selected = { rank: string; idleDays: string };

function Filters({
  ranks,
  filter: { rank, idleDays: idle },
  onSelect,
}: {
  ranks: readonly string[];
  filter: Selected;
  onSelect: Select;
}) {
  // The rank in the address may have another name by now.
  const names = new Set([...ranks, ...(rank === "" ? [] : [rank])]);
  return (
    <>
      <div className="mb-5 sm:w-44">
        <SelectField
          label="Rank"
          options={[["", "All"], ...[...names].map((name) => [name, name] as const)]}
          value={rank}
          onChange={({ target: { value } }) => onSelect("rank", value)}
        />
      </div>
      <div className="mb-5 sm:w-44">
        <SelectField
          label="Last award"
          options={[["", "Any time"], ...idleDays.map((days) => [days, idleText(days)] as const)]}
          value={idle}
          onChange={({ target: { value } }) => onSelect("idle", value)}
        />
      </div>
    </>
  );
}
