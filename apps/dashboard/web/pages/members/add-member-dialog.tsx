// Adds a member: any player, or the one whose page is open.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { NewMember } from "#contract/dashboard/members.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";

type Values = { platformId: string };
/** `who`: the member in a text. */
type Props = { clanId: string; platformId?: string; who?: string; onClose(): void };

export function AddMemberDialog({ clanId, platformId, who = platformId, onClose }: Props) {
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const toast = useToast();
  const form = useForm<Values>({
    resolver: formResolver(NewMember, trimmed),
    defaultValues: { platformId: platformId ?? "" },
  });
  const add = useMutation({
    mutationFn: (values: Values) => call("add-member", { params: { clanId, ...trimmed(values) } }),
    async onSuccess({ member }) {
      const path = `/clans/${encodeURIComponent(clanId)}/members/${encodeURIComponent(member.platformId)}`;
      toast({ title: `${who ?? member.platformId} is a member`, description: `Their rank is ${member.rank}.`, path });
      onClose();
      await navigate(path);
    },
    onSettled: () => invalidate("read-member", "read-member-ledger", "list-members", "read-overview"),
  });
  return (
    <FormDialog
      title={platformId === undefined ? "Add member" : `Add ${who}`}
      description="Creates a membership. Stored XP stays, and the rank is derived from it."
      submit="Add member"
      {...sentBy(add, form)}
      onClose={onClose}
    >
      {platformId === undefined ? (
        <TextField
          label="Player ID"
          hint="As the game server sends it: in Roblox, the number of the user."
          error={form.formState.errors.platformId?.message}
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          {...form.register("platformId")}
        />
      ) : null}
    </FormDialog>
  );
}

function trimmed({ platformId }: Values): Values {
  return { platformId: platformId.trim() };
}
