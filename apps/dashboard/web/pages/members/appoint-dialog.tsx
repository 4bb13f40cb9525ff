// Appoints a member to a STAFF or OWNER rank, or withdraws the appointment.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { MemberFacts } from "#contract/dashboard/members.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";

/** `who`: the member in a text. */
type Props = { params: { clanId: string; platformId: string }; who: string; facts: MemberFacts; onClose(): void };

export function AppointDialog({ params, who, facts, onClose }: Props) {
  const [rank, setRank] = useState(facts.appointedRank ?? "");
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  // The appointment when the dialog was opened.
  const [before] = useState(facts.appointedRank);
  const appointTo = (newRank: string | null) => call("appoint-member", { params, body: { rank: newRank } });
  const refresh = (): Promise<void> => invalidate("read-member", "read-member-ledger", "list-members");
  const appoint = useMutation({
    mutationFn: () => appointTo(rank === "" ? null : rank),
    onSuccess({ member }) {
      toast({
        title: `${who} is ${member.rank} now`,
        undo: undo(async () => {
          await appointTo(before);
          await refresh();
        }),
      });
      onClose();
    },
    onSettled: refresh,
  });
  const hint =
    facts.appointable.length === 0
      ? "The clan has no rank of the kind STAFF or OWNER. Add one to the clan's ranks first."
      : undefined;
  return (
    <FormDialog
      title={`Appoint ${who}`}
      description="An appointed member has the rank whatever their XP."
      error={appoint.error}
      submit="Appoint"
      isBusy={appoint.isPending}
      onEdit={appoint.reset}
      onSubmit={appoint.mutate}
      onClose={onClose}
    >
      <SelectField
        label="Rank"
        hint={hint}
        options={[["", "None: the rank is derived from XP"], ...facts.appointable.map((name) => [name, name] as const)]}
        value={rank}
        onChange={(event) => setRank(event.target.value)}
      />
    </FormDialog>
  );
}
