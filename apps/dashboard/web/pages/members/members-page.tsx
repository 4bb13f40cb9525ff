// The clan's leaderboard, and the search for one of its members.
import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import type { MemberResponse } from "#contract/member.ts";
import { MEMBER_NAME_CHARS_MAX } from "#domain/member-name.ts";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { PageLink } from "../../parts/links.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Page } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { PositionText } from "../../parts/position-text.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { Xp } from "../../parts/xp.tsx";
import { AddMemberDialog } from "./add-member-dialog.tsx";
import { PeriodSelect } from "./period-select.tsx";
import { Standings } from "./standings.tsx";

const REFRESH_MS = 5_000;

export function MembersPage() {
  const { clanId, mayChange } = useClan();
  const [address, setAddress] = useSearchParams();
  const [boardId, periodId] = [address.get("board"), address.get("period")];
  const shown = boardId && periodId ? { boardId, periodId } : null;
  const [typed, setTyped] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const search = useDeferredValue(typed.trim());
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
            <DownloadLink endpoint="export-members" params={{ clanId }}>
              Export CSV
            </DownloadLink>
          )}
          <PageLink to={`/clans/${encodeURIComponent(clanId)}/resets`}>Resets</PageLink>
          {mayChange ? <Button onClick={() => setIsAdding(true)}>Add member</Button> : null}
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
          <SearchField
            label="Search members"
            placeholder="Search by name or platformId"
            value={typed}
            onChange={setTyped}
            maxLength={MEMBER_NAME_CHARS_MAX}
          />
        )}
      </div>
      {shown ? <Standings clanId={clanId} shown={shown} /> : <Members clanId={clanId} search={search} />}
      {isAdding ? <AddMemberDialog clanId={clanId} onClose={() => setIsAdding(false)} /> : null}
    </Page>
  );
}

function Members({ clanId, search }: { clanId: string; search: string }) {
  const list = usePages(
    "list-members",
    { params: { clanId }, query: search === "" ? {} : { search } },
    { refetchMs: REFRESH_MS },
  );
  const members = list.data?.pages.flatMap((page) => page.members) ?? [];
  return (
    <PagedTable
      list={list}
      what="the members"
      label="Members"
      columns={columnsFor(clanId)}
      rows={members}
      keyOf={({ platformId }) => platformId}
      empty={<NoMembers clanId={clanId} search={search} hasMore={list.hasNextPage} />}
      more="Show more"
    />
  );
}

function NoMembers({ clanId, search, hasMore }: { clanId: string; search: string; hasMore: boolean }) {
  const { data } = useApi("read-ranks", { params: { clanId } });
  // Players may be named of whom nothing else is stored.
  if (hasMore) return <Empty title="No members among the first names found." />;
  if (search !== "")
    return <Empty title="No members found.">No platformId begins with {search}, and no name has these words.</Empty>;
  return (
    <Empty title="No members yet.">
      {data?.autoClan === true ? "Every player who receives an award is listed here." : null}
      {data?.autoClan === false ? "XP is stored for members only, whom an owner adds." : null}
    </Empty>
  );
}

function columnsFor(clanId: string): Column<MemberResponse>[] {
  return [
    {
      header: "Position",
      line: 2,
      isLabeled: true,
      isNumber: true,
      cell: ({ position }) => <PositionText position={position} />,
    },
    {
      header: "Player",
      line: 1,
      cell: ({ platformId, name = null }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
    },
    { header: "XP", line: 1, isNumber: true, cell: ({ xp }) => <Xp value={xp} /> },
    { header: "Rank", line: 2, cell: ({ rank }) => <FreeText>{rank}</FreeText> },
    {
      header: "Last award",
      line: 2,
      cell: ({ lastAwardAt }) => <Time at={lastAwardAt ?? null} none="none" />,
    },
  ];
}
