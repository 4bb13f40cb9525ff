// Invites a person: creates an account with its role, and a link with which the person sets it up.
import { useForm } from "react-hook-form";
import { clanRoles, type ClanRole } from "#domain/account.ts";
import type { Me } from "#contract/dashboard/account.ts";
import { InviteRequest } from "#contract/dashboard/accounts.ts";
import { useAction } from "../../api/use-action.ts";
import { ClanSelect } from "../../parts/clan-select.tsx";
import { faultOf } from "../../parts/error-texts.ts";
import { Field } from "../../parts/field.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { roleMeaning } from "../../parts/role-texts.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { LinkDialog } from "../../parts/link-dialog.tsx";

type Values = { name: string; role: ClanRole | "operator"; clanId: string };

function meaningOf(role: Values["role"]): string {
  return role === "operator" ? "Operator: may do everything in all clans" : roleMeaning(role);
}

export function InviteDialog({ me, onClose }: { me: Me; onClose(): void }) {
  const roles = [...(me.clans.length > 0 ? clanRoles : []), "operator" as const];
  const form = useForm<Values>({
    resolver: formResolver(InviteRequest, requestOf),
    defaultValues: { name: "", role: roles[0] ?? "operator", clanId: me.clans[0]?.clanId ?? "" },
  });
  const invite = useAction("invite-account", (values: Values) => ({ body: requestOf(values) }), {
    refreshes: ["list-accounts"],
  });
  if (invite.data) return <LinkDialog invited={invite.data} onClose={onClose} />;
  const [role, clanId] = form.watch(["role", "clanId"]);
  return (
    <FormDialog
      title="Invite person"
      description="You get a link for the person, which works once, for 72 hours."
      submit="Invite"
      {...sentBy(invite, form, "/name")}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="To sign in with, such as an e-mail address."
        autoCapitalize="none"
        {...fieldOf(form, "name", faultOf(invite.error, "/name"))}
      />
      <SelectField
        label="Role"
        options={roles.map((one) => [one, meaningOf(one)] as const)}
        {...form.register("role")}
      />
      {role === "operator" ? null : (
        <Field label="Clan">
          {({ id }) => (
            <ClanSelect id={id} me={me} clanId={clanId} onChoose={(chosen) => form.setValue("clanId", chosen)} />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

function requestOf({ name, role, clanId }: Values): InviteRequest {
  return {
    name: name.trim().toLowerCase(),
    may: role === "operator" ? { kind: "operator" } : { kind: "clan", clanId, role },
  };
}
