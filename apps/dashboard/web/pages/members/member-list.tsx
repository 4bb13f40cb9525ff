// The members that the filter selects, by position, with the number of them. Owners and moderators select rows for a
// change.
import { useState } from "react";
import type { FilterQuery } from "#contract/dashboard/members.ts";
import type { MemberResponse } from "#contract/member.ts";
import { useApi } from "../../api/use-api.ts";
import { usePages } from "../../api/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import type { Column, Selection } from "../../parts/data-table.tsx";
import { FreeText } from "../../parts/free-text.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { memberText } from "../../parts/member-text.ts";
import { PagedTable } from "../../parts/paged-table.tsx";
import { PositionText } from "../../parts/position-text.tsx";
import { RowMenu } from "../../parts/row-menu.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { Xp } from "../../parts/xp.tsx";
import { foundText } from "./found-text.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { useHide } from "./use-hide.ts";

const REFRESH_MS = 5_000;
/** In a large clan, the members with a rank, or their number without an award, take up to 300 ms of MongoDB. */
const FILTER_REFRESH_MS = 15_000;

/** Empty texts: all members. */
export type MemberFilter = { search: string; rank: string; idleDays: NonNullable<FilterQuery["idleDays"]> | "" };

export function queryOf({ search, rank, idleDays }: MemberFilter): FilterQuery {
  return {
    ...(search === "" ? {} : { search }),
    ...(rank === "" ? {} : { rank }),
    ...(idleDays === "" ? {} : { idleDays }),
  };
}

type Props = {
  filter: MemberFilter;
  appointable: readonly string[];
  /** A member, or a file of them. */
  onAdd(what: "add" | "import"): void;
};

export function MemberList({ filter, appointable, onAdd }: Props) {
  const { clanId, mayChange, mayGive } = useClan();
  const list = usePages(
    "list-members",
    { params: { clanId }, query: queryOf(filter) },
    { refetchMs: filter.rank === "" && filter.idleDays === "" ? REFRESH_MS : FILTER_REFRESH_MS },
  );
  const members = list.data?.pages.flatMap((page) => page.members) ?? [];
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const hide = useHide(clanId);
  const selection: Selection<MemberResponse> = { selected: keys, nameOf: nameIn, onChange: setKeys };
  const first = list.data?.pages[0];
  return (
    <>
      {first ? (
        <p role="status" className="mb-3 text-muted">
          {foundText(first.found)}
        </p>
      ) : null}
      <PagedTable
        list={list}
        what="the members"
        label="Members"
        columns={columnsFor(clanId)}
        rows={members}
        keyOf={({ platformId }) => platformId}
        actionsOf={mayChange && ((member) => <Actions member={member} onHide={hide} />)}
        {...(mayGive ? { selection } : {})}
        empty={<NoMembers filter={filter} onAdd={onAdd} />}
        more="Show more"
      />
      {mayGive ? (
        <SelectionBar
          clanId={clanId}
          mayChange={mayChange}
          selected={members.filter(({ platformId }) => keys.has(platformId))}
          appointable={appointable}
          onDone={(done) => setKeys((before) => new Set([...before].filter((key) => key !== done)))}
          onClear={() => setKeys(new Set())}
        />
      ) : null}
    </>
  );
}

function nameIn({ platformId, name = null }: MemberResponse): string {
  return memberText({ platformId, name });
}

function NoMembers({ filter: { search, rank, idleDays }, onAdd }: Pick<Props, "filter" | "onAdd">) {
  const { clanId, mayChange } = useClan();
  const { data } = useApi("read-ranks", { params: { clanId } });
  if (search !== "") {
    return (
      <Empty title="No members found.">
        No player ID begins with {search}, and no name has these words
        {rank === "" && idleDays === "" ? null : ", among the members of the other filters"}.
      </Empty>
    );
  }
  if (idleDays !== "") {
    const who = rank === "" ? "Nobody" : `Nobody with the rank ${rank}`;
    return <Empty title="No members found.">{`${who} has had no award for ${idleDays} days.`}</Empty>;
  }
  if (rank !== "") return <Empty title="No members found.">Nobody has the rank {rank}.</Empty>;
  const add = (
    <>
      <Button onClick={() => onAdd("add")}>Add the first member</Button>
      <Button onClick={() => onAdd("import")}>Import CSV</Button>
    </>
  );
  return (
    <Empty title="No members yet." action={mayChange ? add : null}>
      {data?.autoClan === true ? "Every player who receives an award is listed here." : null}
      {data?.autoClan === false ? "XP is stored for members only, whom an owner adds." : null}
    </Empty>
  );
}

function Actions({ member, onHide }: { member: MemberResponse; onHide(member: MemberResponse): void }) {
  const hide = { label: "Hide on public page", onChoose: () => onHide(member) };
  return <RowMenu label={`Actions of ${nameIn(member)}`} actions={[hide]} />;
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
