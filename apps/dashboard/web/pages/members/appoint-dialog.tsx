// Appoints a member to a STAFF or OWNER rank, or withdraws the appointment.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { MemberFacts } from "#contract/dashboard/members.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Failed } from "../../parts/states.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";

type Props = { params: { clanId: string; platformId: string }; facts: MemberFacts; onClose(): void };

export function AppointDialog({ params, facts, onClose }: Props) {
  const [rank, setRank] = useState(facts.appointedRank ?? "");
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  // As it was when the dialog opened.
  const [before] = useState(facts.appointedRank);
  const appointTo = (wanted: string | null) => call("appoint-member", { params, body: { rank: wanted } });
  const refresh = (): Promise<void> => invalidate("read-member", "read-member-ledger", "list-members");
  const appoint = useMutation({
    mutationFn: () => appointTo(rank === "" ? null : rank),
    onSuccess({ member }) {
      toast({
        title: `${member.platformId} is ${member.rank} now`,
        undo: undo(async () => {
          await appointTo(before);
          await refresh();
        }),
      });
      onClose();
    },
    onSettled: refresh,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Appoint ${params.platformId}`}
      description="An appointed member has the rank whatever their XP."
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!appoint.isPending) appoint.mutate();
        }}
        className="grid gap-4"
      >
        {appoint.error ? <Failed error={appoint.error} /> : null}
        <Field
          label="Rank"
          {...(facts.appointable.length === 0
            ? { hint: "The clan has no rank of the kind STAFF or OWNER. Add one to the clan's ranks first." }
            : {})}
        >
          {(wiring) => (
            <select {...wiring} value={rank} onChange={(event) => setRank(event.target.value)} className="field">
              <option value="">None: the rank follows from XP</option>
              {facts.appointable.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={appoint.isPending}>
            Appoint
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
