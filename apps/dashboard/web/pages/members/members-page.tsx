// The clan's leaderboard, and the search for one of its members.
import { useDeferredValue, useState } from "react";
import type { MemberResponse } from "#contract/member.ts";
import { PLATFORM_ID_PATTERN } from "#domain/bounds.ts";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { DownloadLink } from "../../parts/download-link.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/links.tsx";
import { Page } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { PositionText } from "../../parts/position-text.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { Xp } from "../../parts/xp.tsx";
import { AddMemberDialog } from "./add-member-dialog.tsx";

const REFRESH_MS = 5_000;

export function MembersPage() {
  const { clanId, mayChange } = useClan();
  const [typed, setTyped] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const search = useDeferredValue(typed.trim());
  const isPossible = search === "" || PLATFORM_ID_PATTERN.test(search);
  return (
    <Page
      title="Members"
      actions={
        <div className="flex flex-wrap gap-2">
          <DownloadLink endpoint="export-members" params={{ clanId }}>
            Export CSV
          </DownloadLink>
          {mayChange ? <Button onClick={() => setIsAdding(true)}>Add member</Button> : null}
        </div>
      }
    >
      <SearchField label="Search members" placeholder="Search by platformId" value={typed} onChange={setTyped} />
      {isPossible ? (
        <Members clanId={clanId} search={search} />
      ) : (
        <Empty title="No member has such a platformId.">A platformId has 1 to 64 letters, digits and . _ : @ | -</Empty>
      )}
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
      empty={<NoMembers clanId={clanId} search={search} />}
      more="Show more"
    />
  );
}

function NoMembers({ clanId, search }: { clanId: string; search: string }) {
  const { data } = useApi("read-ranks", { params: { clanId } });
  if (search !== "") return <Empty title="No members found.">No platformId begins with {search}.</Empty>;
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
      header: "platformId",
      line: 1,
      cell: ({ platformId }) => <MemberLink clanId={clanId} platformId={platformId} />,
    },
    { header: "XP", line: 1, isNumber: true, cell: ({ xp }) => <Xp value={xp} /> },
    { header: "Rank", line: 2, cell: ({ rank }) => <FreeText>{rank}</FreeText> },
    {
      header: "Member since",
      line: null,
      cell: ({ membership }) => <Time at={membership?.since ?? null} none="no member" />,
    },
  ];
}
