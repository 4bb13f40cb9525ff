// Invites a person to the clan. A new account gets a link, which is shown once; an account that exists has the role
// immediately.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { InvitePersonRequest } from "#contract/dashboard/people.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { LinkDialog } from "../../parts/link-dialog.tsx";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { RoleField } from "./role-field.tsx";

export function InvitePersonDialog({ clanId, onClose }: { clanId: string; onClose(): void }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const form = useForm<InvitePersonRequest>({
    resolver: formResolver(InvitePersonRequest, requestOf),
    defaultValues: { name: "", role: "viewer" },
  });
  const invite = useMutation({
    mutationFn: (values: InvitePersonRequest) => call("invite-person", { params: { clanId }, body: requestOf(values) }),
    onSuccess({ name, link }) {
      if (link) return;
      toast({ title: `${name} has access now`, description: "The account exists: no link is needed." });
      onClose();
    },
    onSettled: () => invalidate("list-people"),
  });
  if (invite.data?.link) {
    const invited = { name: invite.data.name, ...invite.data.link };
    return <LinkDialog invited={invited} label="Invitation link" onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Invite person"
      description="You get a link for the person, which works once, for 72 hours. A person with an account gets the role immediately."
      submit="Create link"
      {...sentBy(invite, form, "/name")}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="To sign in with, such as an e-mail address."
        error={form.formState.errors.name?.message ?? faultOf(invite.error, "/name")}
        autoCapitalize="none"
        {...form.register("name")}
      />
      <RoleField {...form.register("role")} />
    </FormDialog>
  );
}

function requestOf({ name, role }: InvitePersonRequest): InvitePersonRequest {
  return { name: name.trim().toLowerCase(), role };
}
