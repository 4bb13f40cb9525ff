// The table of ranks and the role that each gives. An owner chooses from the roles that Roblox or Discord lists.
import { useState } from "react";
import type { RoleFacts } from "#contract/dashboard/destination-records.ts";
import type { DestinationFacts } from "#contract/dashboard/destinations.ts";
import { useAction } from "../../api/use-action.ts";
import { useApi } from "../../api/use-api.ts";
import { Aside } from "../../parts/aside.tsx";
import { Button } from "../../parts/button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Name } from "../../parts/name.tsx";
import { Failed } from "../../parts/states.tsx";

type Props = {
  destination: DestinationFacts;
  /** "Group role" or "Server role". */
  label: string;
  /** Null: they are not known. */
  roles: readonly RoleFacts[] | null;
  mayChange: boolean;
};

export function RoleMappingForm({ destination, label, roles, mayChange }: Props) {
  const { clanId, destinationId, roles: stored = {} } = destination;
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(stored);
  const ranks = useApi("read-ranks", { params: { clanId } });
  const save = useAction(
    "change-destination",
    () => ({ params: { clanId, destinationId }, body: { roles: { ...chosen } } }),
    {
      note: () => ({ title: "Roles saved", description: "All members are compared now." }),
      refreshes: ["read-destination"],
    },
  );
  const isDirty = [...new Set([...Object.keys(chosen), ...Object.keys(stored)])].some(
    (rank) => chosen[rank] !== stored[rank],
  );
  function choose(rank: string, roleId: string): void {
    const { [rank]: _before, ...others } = chosen;
    setChosen(roleId === "" ? others : { ...others, [rank]: roleId });
    save.reset();
  }
  return (
    <Loaded query={ranks} what="the ranks">
      {({ ranks: listed }) => (
        <div className="grid gap-3">
          <DataTable
            label="Roles"
            columns={[
              {
                header: "Rank",
                line: 1,
                cell: ({ name, isGone }) => (
                  <>
                    <Name>{name}</Name>
                    {isGone ? <Aside>The clan has no such rank any more.</Aside> : null}
                  </>
                ),
              },
              {
                header: label,
                line: 1,
                cell: ({ name }) =>
                  roles && mayChange ? (
                    <RoleSelect
                      label={`${label} of ${name}`}
                      roles={roles}
                      roleId={chosen[name] ?? ""}
                      onChoose={(roleId) => choose(name, roleId)}
                    />
                  ) : (
                    <StoredRole roleId={stored[name]} roles={roles ?? []} />
                  ),
              },
            ]}
            rows={rowsOf(listed, stored)}
            keyOf={({ name }) => name}
          />
          {save.error ? <Failed error={save.error} /> : null}
          {roles && mayChange ? (
            <div>
              <Button kind="primary" disabled={!isDirty} busy={save.isPending} onClick={() => save.mutate()}>
                Save
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Loaded>
  );
}

/** By its name, if it is known. */
function StoredRole({ roleId, roles }: { roleId: string | undefined; roles: readonly RoleFacts[] }) {
  if (roleId === undefined) return <span className="text-muted">none</span>;
  return roles.find((role) => role.roleId === roleId)?.name ?? roleId;
}

/** A rank that was removed keeps its role until a person sets it to none. */
function rowsOf(ranks: readonly { name: string }[], stored: Readonly<Record<string, string>>) {
  const names = ranks.map(({ name }) => name);
  const gone = Object.keys(stored).filter((name) => !names.includes(name));
  return [...names.map((name) => ({ name, isGone: false })), ...gone.map((name) => ({ name, isGone: true }))];
}

type SelectProps = { label: string; roles: readonly RoleFacts[]; roleId: string; onChoose(roleId: string): void };

function RoleSelect({ label, roles, roleId, onChoose }: SelectProps) {
  const usable = roles.filter((role) => role.isUsable || role.roleId === roleId);
  const isListed = roleId === "" || usable.some((role) => role.roleId === roleId);
  return (
    <select
      aria-label={label}
      className="field max-w-64"
      value={roleId}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">No role</option>
      {usable.map((role) => (
        <option key={role.roleId} value={role.roleId}>
          {role.name}
        </option>
      ))}
      {isListed ? null : <option value={roleId}>{roleId}, which does not exist any more</option>}
    </select>
  );
}
