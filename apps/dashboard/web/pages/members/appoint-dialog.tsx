// Appoints members to a STAFF or OWNER rank, or withdraws their appointments.
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import type { NamedMember } from "../../parts/member-name.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";
import { Failures } from "./failures.tsx";
import { membersText } from "./members-text.ts";
import { useEachMember } from "./use-each-member.ts";

type RankedMember = NamedMember & { rank: string };
/** `appointable`: the ranks to which members can be appointed. `onDone`: called for each member that was appointed. */
type Props = {
  clanId: string;
  members: readonly RankedMember[];
  appointable: readonly string[];
  onDone?: (platformId: string) => void;
  onClose(): void;
};

export function AppointDialog({ clanId, members, appointable, onDone, onClose }: Props) {
  // The members when the dialog was opened: those with such a rank are appointed to it.
  const [before] = useState(() => members.map(({ rank }) => (appointable.includes(rank) ? rank : null)));
  const [rank, setRank] = useState(() => (before.every((one) => one === before[0]) ? (before[0] ?? "") : ""));
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  const who = membersText(members);
  const appointTo = (platformId: string, newRank: string | null) =>
    call("appoint-member", { params: { clanId, platformId }, body: { rank: newRank } });
  const refresh = (): Promise<void> => invalidate("read-member", "read-member-ledger", "list-members");
  const appoint = useEachMember({
    members,
    change: ({ platformId }) => appointTo(platformId, rank === "" ? null : rank),
    onAll(appointed) {
      const [first] = appointed;
      const isOne = first !== undefined && appointed.length === 1;
      const ended = `${who} have no appointment now`;
      toast({
        title: isOne ? `${who} is ${first.member.rank} now` : rank === "" ? ended : `${who} are ${rank} now`,
        undo: undo(async () => {
          for (const [index, { platformId }] of members.entries()) await appointTo(platformId, before[index] ?? null);
          await refresh();
        }),
      });
      onClose();
    },
    onDone,
    onSettled: refresh,
  });
  const hint =
    appointable.length === 0
      ? "The clan has no rank of the kind STAFF or OWNER. Add one to the clan's ranks first."
      : undefined;
  return (
    <FormDialog
      title={`Appoint ${membersText(appoint.left)}`}
      description="An appointed member has the rank whatever their XP."
      error={appoint.error}
      submit="Appoint"
      isBusy={appoint.isPending}
      onEdit={appoint.reset}
      onSubmit={appoint.mutate}
      onClose={onClose}
    >
      <Failures failures={appoint.failures} left={appoint.left.length} />
      <SelectField
        label="Rank"
        hint={hint}
        options={[["", "None: the rank is derived from XP"], ...appointable.map((name) => [name, name] as const)]}
        value={rank}
        onChange={(event) => setRank(event.target.value)}
      />
    </FormDialog>
  );
}
