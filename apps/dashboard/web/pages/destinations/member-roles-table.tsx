// What became of the roles of each member.
import { useState } from "react";
import type { MemberRole } from "#contract/dashboard/destination-records.ts";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { roleOutcomeNames, type RoleOutcomeName } from "#domain/destination.ts";
import { usePages } from "../../api/use-pages.ts";
import { Aside } from "../../parts/aside.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { Pill, type Look } from "../../parts/toned.tsx";

const REFRESH_MS = 5_000;

export const outcomeLooks: Record<RoleOutcomeName, Look> = {
  synced: { text: "Synced", tone: "good", title: "The member has the role of their rank." },
  not_in_group: { text: "Not in the group", tone: "plain", title: "The role is assigned once they join." },
  not_in_server: { text: "Not in the server", tone: "plain", title: "The role is assigned once they join." },
  not_roblox: { text: "Not a Roblox ID", tone: "plain", title: "The player ID is not a number." },
  not_discord: { text: "Not a Discord ID", tone: "plain", title: "The player ID is not a Discord user ID." },
  protected: { text: "Protected", tone: "warn", title: "The person is not below the owner of the key or the bot." },
  refused: { text: "Refused", tone: "danger", title: "The change was not accepted." },
  waiting: { text: "Waiting", tone: "plain", title: "The member is compared next." },
};

type Props = { destination: DestinationFacts; label: string; nameOf(roleId: string): string };

export function MemberRolesTable({ destination, label, nameOf }: Props) {
  const { clanId, destinationId, outcomes = {} } = destination;
  const [outcome, setOutcome] = useState<RoleOutcomeName | null>(null);
  const query = outcome === null ? {} : { outcome };
  const list = usePages("list-member-roles", { params: { clanId, destinationId }, query }, { refetchMs: REFRESH_MS });
  const possible = roleOutcomeNames.filter((one) => one in outcomes);
  return (
    <>
      <div className="mb-4 max-w-64">
        <SelectField
          label="Status"
          options={[["", "All"], ...possible.map((one) => [one, outcomeLooks[one].text] as const)]}
          value={outcome ?? ""}
          onChange={(event) => setOutcome(possible.find((one) => one === event.target.value) ?? null)}
        />
      </div>
      <PagedTable
        list={list}
        what="the members"
        label="Members"
        columns={columnsFor(clanId, label, nameOf)}
        rows={list.data?.pages.flatMap((page) => page.members) ?? []}
        keyOf={({ platformId }) => platformId}
        empty={<Empty title="No members yet.">Once roles were compared, every member is listed here.</Empty>}
        more="Show more members"
      />
    </>
  );
}

function columnsFor(clanId: string, label: string, nameOf: (roleId: string) => string): Column<MemberRole>[] {
  return [
    {
      header: "Member",
      line: 1,
      cell: ({ platformId, name }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
    },
    { header: "Rank", line: 2, cell: ({ rank }) => rank ?? <span className="text-muted">none</span> },
    {
      header: label,
      line: 2,
      cell: ({ roleId }) => (roleId === null ? <span className="text-muted">none</span> : nameOf(roleId)),
    },
    {
      header: "Status",
      line: 1,
      cell: ({ outcome, reason }) => (
        <>
          <Pill look={outcomeLooks[outcome]} />
          {reason === null ? null : <Aside>{reason}</Aside>}
        </>
      ),
    },
  ];
}
