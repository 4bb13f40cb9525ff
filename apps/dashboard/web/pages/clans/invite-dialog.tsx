// Invites a person: an account, what it may do, and the link by which the person takes it over.
import { useMutation } from "@tanstack/react-query";
import { useForm, type UseFormReturn } from "react-hook-form";
import { clanRoles } from "#domain/account.ts";
import type { Me } from "#contract/dashboard/account.ts";
import { InviteRequest } from "#contract/dashboard/accounts.ts";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { useMe } from "../../api/use-me.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { Failed } from "../../parts/states.tsx";
import { InvitedDialog } from "./invited-dialog.tsx";

type Values = { name: string; role: "owner" | "viewer" | "operator"; clanId: string };

const meanings: Record<Values["role"], string> = {
  owner: "Owner: may do everything in the clan",
  viewer: "Viewer: may read everything of the clan",
  operator: "Operator: may do everything in all clans",
};

export function InviteDialog({ onClose }: { onClose(): void }) {
  const { data: me } = useMe();
  const clans = me?.clans ?? [];
  const invalidate = useInvalidate();
  const form = useForm<Values>({
    resolver: formResolver(InviteRequest, requestOf),
    defaultValues: { name: "", role: clans.length > 0 ? "owner" : "operator", clanId: clans[0]?.clanId ?? "" },
  });
  const invite = useMutation({
    mutationFn: (values: Values) => call("invite-account", { body: requestOf(values) }),
    onSettled: () => invalidate("list-accounts"),
  });
  if (invite.data) return <InvitedDialog invited={invite.data} onClose={onClose} />;
  const faults = form.formState.errors;
  const takenFault =
    invite.error instanceof ApiError ? invite.error.faults.find(({ pointer }) => pointer === "/name") : undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite person"
      description="You get a link for the person, which works once, for 72 hours."
    >
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(() => invite.mutate(form.getValues()))(event)}
        className="grid gap-4"
      >
        {invite.error ? <Failed error={invite.error} /> : null}
        <Field
          label="Name"
          hint="To sign in with, such as an e-mail address."
          error={faults.name?.message ?? takenFault?.detail}
        >
          {(wiring) => (
            <input {...wiring} {...form.register("name")} autoComplete="off" autoCapitalize="none" className="field" />
          )}
        </Field>
        <RoleFields form={form} clans={clans} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={invite.isPending}>
            Invite
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function RoleFields({ form, clans }: { form: UseFormReturn<Values>; clans: Me["clans"] }) {
  return (
    <>
      <Field label="Role">
        {(wiring) => (
          <select {...wiring} {...form.register("role")} className="field">
            {[...(clans.length > 0 ? clanRoles : []), "operator" as const].map((role) => (
              <option key={role} value={role}>
                {meanings[role]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {form.watch("role") === "operator" ? null : (
        <Field label="Clan">
          {(wiring) => (
            <select {...wiring} {...form.register("clanId")} className="field">
              {clans.map(({ clanId, name }) => (
                <option key={clanId} value={clanId}>
                  {name} ({clanId})
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  );
}

function requestOf({ name, role, clanId }: Values): InviteRequest {
  return {
    name: name.trim().toLowerCase(),
    may: role === "operator" ? { kind: "operator" } : { kind: "clan", clanId, role },
  };
}
