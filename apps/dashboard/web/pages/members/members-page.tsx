// The clan's members: all of them or those of a filter, the standings of a period, and what leads to changes.
import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import { idleDays } from "#contract/dashboard/members.ts";
import { MEMBER_NAME_CHARS_MAX } from "#domain/member-name.ts";
import { isAppointable } from "#domain/rank.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { PageLink } from "../../parts/links.tsx";
import { Page } from "../../parts/page.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { AddMemberDialog } from "./add-member-dialog.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { MemberList, queryOf } from "./member-list.tsx";
import { PeriodSelect } from "./period-select.tsx";
import { Standings } from "./standings.tsx";

export function MembersPage() {
  const { clanId, mayChange } = useClan();
  const [address, setAddress] = useSearchParams();
  const [boardId, periodId] = [address.get("board"), address.get("period")];
  const shown = boardId && periodId ? { boardId, periodId } : null;
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState<"add" | "import" | null>(null);
  const close = (): void => setOpen(null);
  const ranks = useApi("read-ranks", { params: { clanId } }).data?.ranks ?? [];
  const filter = {
    search: useDeferredValue(typed.trim()),
    rank: address.get("rank") ?? "",
    idleDays: idleDays.find((days) => days === address.get("idle")) ?? "",
  } as const;
  const select = (name: "rank" | "idle", value: string): void =>
    setAddress((before) => withFilter(before, name, value), { replace: true });
  return (
    <Page
      title="Members"
      actions={
        <div className="flex flex-wrap gap-2">
          {shown ? (
            <DownloadLink endpoint="export-standings" params={{ clanId, ...shown }}>
              Export CSV
            </DownloadLink>
          ) : (
            <DownloadLink endpoint="export-members" params={{ clanId }} query={queryOf(filter)}>
              Export CSV
            </DownloadLink>
          )}
          {mayChange ? <Button onClick={() => setOpen("import")}>Import CSV</Button> : null}
          <PageLink to={`/clans/${encodeURIComponent(clanId)}/resets`}>Resets</PageLink>
          {mayChange ? <Button onClick={() => setOpen("add")}>Add member</Button> : null}
        </div>
      }
    >
      <div className="flex flex-wrap items-end gap-x-4">
        <PeriodSelect
          clanId={clanId}
          value={shown}
          onChange={(period) => setAddress(period ? { board: period.boardId, period: period.periodId } : {})}
        />
        {shown ? null : (
          <>
            <SearchField
              label="Search members"
              placeholder="Search by name or platformId"
              value={typed}
              onChange={setTyped}
              maxLength={MEMBER_NAME_CHARS_MAX}
            />
            <Filters ranks={ranks.map(({ name }) => name)} filter={filter} onSelect={select} />
          </>
        )}
      </div>
      {shown ? (
        <Standings clanId={clanId} shown={shown} />
      ) : (
        <MemberList filter={filter} appointable={ranks.filter(isAppointable).map(({ name }) => name)} />
      )}
      {open === "add" ? <AddMemberDialog clanId={clanId} onClose={close} /> : null}
      {open === "import" ? <ImportDialog clanId={clanId} onClose={close} /> : null}
    </Page>
  );
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
  onSelect(name: "rank" | "idle", value: string): void;
}) {
  // The rank in the address may have another name by now.
  const names = new Set([...ranks, ...(rank === "" ? [] : [rank])]);
  return (
    <>
      <div className="mb-5 w-44">
        <SelectField
          label="Rank"
          options={[["", "All"], ...[...names].map((name) => [name, name] as const)]}
          value={rank}
          onChange={({ target: { value } }) => onSelect("rank", value)}
        />
      </div>
      <div className="mb-5 w-44">
        <SelectField
          label="Last award"
          options={[["", "Any time"], ...idleDays.map((days) => [days, `Not in ${days} days`] as const)]}
          value={idle}
          onChange={({ target: { value } }) => onSelect("idle", value)}
        />
      </div>
    </>
  );
}
