// Reverses one award: shows a preview, submits the reversal, and waits until a worker has run it.
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { ReverseRequest } from "#contract/dashboard/reversals.ts";
import { useAction } from "../../api/use-action.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { formResolver } from "../../parts/form-resolver.ts";
import { Note } from "../../parts/toned.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";

/** A worker runs a reversal in less than a second, unless batches are waiting. */
const POLL_MS = 500;

type Values = { reason: string };
type Params = { clanId: string; platformId: string };

/** `who`: the member in a text. */
type Props = { params: Params; who: string; entry: MemberEntry; onClose(): void };

export function ReverseDialog({ params, who, entry, onClose }: Props) {
  const award = { ...params, awardId: entry.awardId };
  const reverse = useAction("reverse-award", (values: Values) => ({ params: award, body: requestOf(values) }), {
    refreshes: ["preview-reversal", "read-member", "read-member-ledger", "list-members"],
  });
  return (
    <Dialog
      open
      sticky={reverse.isPending}
      onClose={onClose}
      title="Reverse award"
      description={`A new entry takes back what the award did to ${who}.`}
    >
      {reverse.data ? (
        <Waiting params={params} reversalId={reverse.data.reversalId} onClose={onClose} />
      ) : (
        <ReverseForm
          award={award}
          error={reverse.error}
          isPending={reverse.isPending}
          onEdit={reverse.reset}
          onReverse={reverse.mutate}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type FormProps = {
  award: Params & { awardId: string };
  error: Error | null;
  isPending: boolean;
  onEdit(): void;
  onReverse(values: Values): void;
  onClose(): void;
};

function ReverseForm({ award, error, isPending, onEdit, onReverse, onClose }: FormProps) {
  const preview = useApi("preview-reversal", { params: award });
  const form = useForm<Values>({ resolver: formResolver(ReverseRequest, requestOf), defaultValues: { reason: "" } });
  const mayReverse = preview.data !== undefined && preview.data.awards > 0;
  return (
    <DialogForm
      error={error}
      submit="Reverse"
      isDanger
      isDisabled={!mayReverse}
      isBusy={isPending}
      onEdit={onEdit}
      onSubmit={() => void form.handleSubmit(() => onReverse(form.getValues()))()}
      onClose={onClose}
    >
      {preview.isPending ? <Loading what="what the reversal would do" /> : null}
      {preview.error ? <Failed error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data ? <p>{effectOf(preview.data)}</p> : null}
      <TextField label="Reason" hint="Optional. Shown in the ledger." {...fieldOf(form, "reason")} />
    </DialogForm>
  );
}

function requestOf({ reason }: Values): { reason: string | null } {
  return { reason: reason.trim() === "" ? null : reason.trim() };
}

/** `amount`: the sum that would be taken back; negative if the award took XP. */
function effectOf({ awards, amount }: { awards: number; amount: string }): string {
  if (awards === 0)
    return "There is nothing to reverse: the award is already reversed, or was cancelled with its batch.";
  const taken = BigInt(amount);
  const effect = taken < 0n ? `Gives back ${numberText(-taken)} XP` : `Takes back ${numberText(amount)} XP`;
  return `${effect}, within the clan's minimum and maximum. This cannot be undone.`;
}

/** The reversal continues without this dialog, too. */
function Waiting({ params, reversalId, onClose }: { params: Params; reversalId: string; onClose(): void }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const state = useApi("read-reversal", { params: { clanId: params.clanId, reversalId } }, { refetchMs: POLL_MS });
  const reversal = state.data?.status === "done" ? state.data : null;
  const isDone = reversal !== null;
  const isReversed = reversal !== null && reversal.reversed > 0;
  useEffect(() => {
    if (!isDone) return;
    void invalidate("read-member", "read-member-ledger", "list-members");
    toast({ title: isReversed ? "Award reversed" : "The award was already reversed" });
    onClose();
    // Called once, when the reversal is done, although the functions are new ones with each rendering.
  }, [isDone]);
  return (
    <>
      {state.error ? <Failed error={state.error} onRetry={() => void state.refetch()} /> : null}
      <Note role="status" tone="plain">
        The reversal is queued. Waiting for a worker …
      </Note>
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </>
  );
}
