// Adds a member: any player, or the one whose page is open.
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { NewMember } from "#contract/dashboard/members.ts";
import { useAction } from "../../api/use-action.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";

type Values = { platformId: string };
/** `who`: the member in a text. */
type Props = { clanId: string; platformId?: string; who?: string; onClose(): void };

export function AddMemberDialog({ clanId, platformId, who = platformId, onClose }: Props) {
  const navigate = useNavigate();
  const form = useForm<Values>({
    resolver: formResolver(NewMember, trimmed),
    defaultValues: { platformId: platformId ?? "" },
  });
  const pathOf = (member: { platformId: string }): string =>
    `/clans/${encodeURIComponent(clanId)}/members/${encodeURIComponent(member.platformId)}`;
  const add = useAction("add-member", (values: Values) => ({ params: { clanId, ...trimmed(values) } }), {
    note: ({ member }) => ({
      title: `${who ?? member.platformId} is a member`,
      description: `Their rank is ${member.rank}.`,
      path: pathOf(member),
    }),
    refreshes: ["read-member", "read-member-ledger", "list-members", "read-overview"],
    async onDone({ member }) {
      onClose();
      await navigate(pathOf(member));
    },
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
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          {...fieldOf(form, "platformId")}
        />
      ) : null}
    </FormDialog>
  );
}

function trimmed({ platformId }: Values): Values {
  return { platformId: platformId.trim() };
}
