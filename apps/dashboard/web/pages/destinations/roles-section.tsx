// Which role each rank gives in a Roblox group or a Discord server, what would change, and what became of each member.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { RoleFacts, SyncFacts } from "#contract/dashboard/destination-records.ts";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { MemberLink } from "../../parts/member-name.tsx";
import { Failed } from "../../parts/states.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Note } from "../../parts/toned.tsx";
import { MemberRolesTable } from "./member-roles-table.tsx";
import { RoleMappingForm } from "./role-mapping-form.tsx";

type Props = { destination: DestinationFacts; mayChange: boolean };

export function RolesSection({ destination, mayChange }: Props) {
  const { clanId, destinationId, kind } = destination;
  const params = { clanId, destinationId };
  // Roblox or Discord is asked once for each visit of the page, not again and again.
  const roles = useApi("read-roles", { params });
  const nameOf = nameIn(roles.data?.roles ?? []);
  const label = kind === "roblox-group" ? "Group role" : "Server role";
  return (
    <>
      <h2 className="mt-6 mb-3 text-lg font-semibold">Roles</h2>
      {roles.error ? (
        <div className="mb-4">
          <Failed error={roles.error} onRetry={() => void roles.refetch()} />
        </div>
      ) : null}
      <RoleMappingForm
        // Another stored mapping begins a new edit.
        key={JSON.stringify(destination.roles)}
        destination={destination}
        label={label}
        roles={roles.data?.roles ?? null}
        mayChange={mayChange}
      />
      {mayChange ? <Comparison destination={destination} nameOf={nameOf} /> : null}
      <h2 className="mt-6 mb-3 text-lg font-semibold">Members</h2>
      <MemberRolesTable destination={destination} label={label} nameOf={nameOf} />
    </>
  );
}

/** The names of roles by their ids. */
function nameIn(roles: readonly RoleFacts[]): (roleId: string) => string {
  const names = new Map(roles.map(({ roleId, name }) => [roleId, name]));
  return (roleId) => names.get(roleId) ?? roleId;
}

type Difference = NonNullable<SyncFacts["result"]>["differences"][number];

function Comparison({ destination, nameOf }: { destination: DestinationFacts; nameOf(roleId: string): string }) {
  const { clanId, destinationId } = destination;
  const invalidate = useInvalidate();
  const [isDry, setIsDry] = useState(true);
  const sync = useMutation({
    mutationFn: (dryRun: boolean) => {
      setIsDry(dryRun);
      return call("sync-destination", { params: { clanId, destinationId }, body: { dryRun } });
    },
    onSettled: () => invalidate("read-destination", "list-member-roles"),
  });
  return (
    <div className="mt-4 grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button busy={sync.isPending} title="What would change" onClick={() => sync.mutate(true)}>
          Check
        </Button>
        <Button busy={sync.isPending} onClick={() => sync.mutate(false)}>
          Sync all
        </Button>
      </div>
      {sync.error ? <Failed error={sync.error} /> : null}
      <div role="status" className="grid gap-3 empty:hidden">
        {sync.isPending ? <p className="text-muted">Comparing roles …</p> : null}
        {sync.data ? <SyncNote result={sync.data.result} isDry={isDry} /> : null}
      </div>
      {sync.data?.result && isDry && sync.data.result.differences.length > 0 ? (
        <Differences clanId={clanId} differences={sync.data.result.differences} nameOf={nameOf} />
      ) : null}
    </div>
  );
}

function SyncNote({ result, isDry }: { result: SyncFacts["result"]; isDry: boolean }) {
  if (!result)
    return <Note tone="plain">The comparison takes longer and goes on. The members below show what became of it.</Note>;
  const { members, changed, differences } = result;
  const text = isDry
    ? differences.length === 0
      ? "Nothing would change."
      : `${numberText(differences.length)} of them would change.`
    : `${numberText(changed)} of them were changed.`;
  return (
    <Note tone="good">
      {members === 1 ? "1 member" : `${numberText(members)} members`} compared. {text}
    </Note>
  );
}

type DifferencesProps = { clanId: string; differences: readonly Difference[]; nameOf(roleId: string): string };

function Differences({ clanId, differences, nameOf }: DifferencesProps) {
  const names = (ids: readonly string[]): string => ids.map(nameOf).join(", ") || "none";
  return (
    <DataTable
      label="What would change"
      columns={[
        {
          header: "Member",
          line: 1,
          cell: ({ platformId, name }) => <MemberLink clanId={clanId} platformId={platformId} name={name} />,
        },
        { header: "Rank", line: 1, cell: ({ rank }) => rank ?? "none" },
        { header: "Has", line: 2, isLabeled: true, cell: ({ has }) => names(has) },
        { header: "Would have", line: 2, isLabeled: true, cell: ({ wants }) => names(wants) },
      ]}
      rows={differences}
      keyOf={({ platformId }) => platformId}
    />
  );
}
