// Gives a person another role in the clan.
import { useState } from "react";
import { clanRoles, type ClanRole } from "#domain/account.ts";
import type { PersonFacts } from "#contract/dashboard/people.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { asRole } from "../../parts/role-texts.ts";
import { RoleField } from "./role-field.tsx";
import { useOwnAccess } from "./use-own-access.ts";

type Props = { clanId: string; person: PersonFacts; onClose(): void };

export function ChangeRoleDialog({ clanId, person: { name, role, status }, onClose }: Props) {
  const [chosen, setChosen] = useState<ClanRole>(role);
  const leave = useOwnAccess();
  const as = asRole(chosen);
  return (
    <ConfirmDialog
      title={`Change role of ${name}`}
      description="The new role takes effect immediately, also where the person is signed in."
      submit="Change role"
      isDisabled={chosen === role}
      endpoint="change-role"
      sent={{ params: { clanId, name }, body: { role: chosen } }}
      note={() => ({ title: status === "invited" ? `${name} is invited as ${as}` : `${name} is ${as} now` })}
      refreshes={["list-people"]}
      onDone={async () => {
        onClose();
        await leave(name);
      }}
      onClose={onClose}
    >
      <RoleField
        value={chosen}
        onChange={({ target: { value } }) => setChosen(clanRoles.find((one) => one === value) ?? chosen)}
      />
    </ConfirmDialog>
  );
}
