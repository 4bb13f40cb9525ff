// Gives a person another role in the clan.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { clanRoles, type ClanRole } from "#domain/account.ts";
import type { PersonFacts } from "#contract/dashboard/people.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { asRole } from "../../parts/role-texts.ts";
import { useToast } from "../../parts/toasts.tsx";
import { RoleField } from "./role-field.tsx";
import { useOwnAccess } from "./use-own-access.ts";

type Props = { clanId: string; person: PersonFacts; onClose(): void };

export function ChangeRoleDialog({ clanId, person: { name, role, status }, onClose }: Props) {
  const [chosen, setChosen] = useState<ClanRole>(role);
  const invalidate = useInvalidate();
  const leave = useOwnAccess();
  const toast = useToast();
  const change = useMutation({
    mutationFn: () => call("change-role", { params: { clanId, name }, body: { role: chosen } }),
    async onSuccess() {
      const as = asRole(chosen);
      toast({ title: status === "invited" ? `${name} is invited as ${as}` : `${name} is ${as} now` });
      onClose();
      await leave(name);
    },
    onSettled: () => invalidate("list-people"),
  });
  return (
    <FormDialog
      title={`Change role of ${name}`}
      description="The new role takes effect immediately, also where the person is signed in."
      error={change.error}
      submit="Change role"
      isDisabled={chosen === role}
      isBusy={change.isPending}
      onEdit={change.reset}
      onSubmit={change.mutate}
      onClose={onClose}
    >
      <RoleField
        value={chosen}
        onChange={({ target: { value } }) => setChosen(clanRoles.find((one) => one === value) ?? chosen)}
      />
    </FormDialog>
  );
}
