// Invites a person to the clan, by a link that is shown once. The dialog does not know whether there is an account.
import { useForm } from "react-hook-form";
import { InvitePersonRequest } from "#contract/dashboard/people.ts";
import { useAction } from "../../api/use-action.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { LinkDialog } from "../../parts/link-dialog.tsx";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { RoleField } from "./role-field.tsx";

export function InvitePersonDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const form = useForm<InvitePersonRequest>({
    resolver: formResolver(InvitePersonRequest, requestOf),
    defaultValues: { name: "", role: "viewer" },
  });
  const invite = useAction(
    "invite-person",
    (values: InvitePersonRequest) => ({ params: { clanId }, body: requestOf(values) }),
    { refreshes: ["list-people"] },
  );
  if (invite.data) {
    const invited = { name: invite.data.name, ...invite.data.link };
    const description =
      "Send this link to the person. It works once: it lets them choose how to sign in, or accept the role with the account that they have.";
    return <LinkDialog invited={invited} label="Invitation link" description={description} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Invite person"
      description="You get a link for the person, which works once, for 72 hours. They have no access before they open it."
      submit="Create link"
      {...sentBy(invite, form, "/name")}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="To sign in with, such as an e-mail address."
        autoCapitalize="none"
        {...fieldOf(form, "name", faultOf(invite.error, "/name"))}
      />
      <RoleField {...form.register("role")} />
    </FormDialog>
  );
}

function requestOf({ name, role }: InvitePersonRequest): InvitePersonRequest {
  return { name: name.trim().toLowerCase(), role };
}
