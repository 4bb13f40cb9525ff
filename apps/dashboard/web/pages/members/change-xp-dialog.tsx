// Gives XP to a member, or takes it, with a reason.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ChangeXpRequest } from "#contract/dashboard/members.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/fault-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { numberText } from "../../parts/number-text.ts";
import { plainNumber } from "../../parts/plain-number.ts";
import { randomId } from "../../parts/random-id.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";

type Values = { amount: string; reason: string };
type Props = { params: { clanId: string; platformId: string }; amountMax: number; isTaking: boolean; onClose(): void };

export function ChangeXpDialog({ params, amountMax, isTaking, onClose }: Props) {
  // One id for all attempts of this dialog: a change whose response was lost is applied once.
  const [changeId] = useState(randomId);
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  const refresh = (): Promise<void> => invalidate("read-member", "read-member-ledger", "list-members");
  const requestOf = ({ amount, reason }: Values) => ({
    amount: amountOf(amount, isTaking),
    reason: reason.trim(),
    changeId,
  });
  const form = useForm<Values>({
    resolver: formResolver(ChangeXpRequest, requestOf),
    defaultValues: { amount: "", reason: "" },
  });
  const change = useMutation({
    mutationFn: (values: Values) => call("change-xp", { params, body: requestOf(values) }),
    onSuccess(entry) {
      toast({
        title: isTaking ? "XP taken" : "XP given",
        description: `${params.platformId} has ${numberText(entry.xp)} XP now.`,
        undo: undo(async () => {
          await call("reverse-award", { params: { ...params, awardId: entry.awardId }, body: { reason: "undone" } });
          await refresh();
        }, "A worker takes it back"),
      });
      onClose();
    },
    onSettled: refresh,
  });
  const verb = isTaking ? "Take XP" : "Give XP";
  const faults = form.formState.errors;
  // The schema permits both signs; here the button determines the sign.
  const isInvalid = faults.amount ?? faultOf(change.error, "/amount");
  const amountFault = isInvalid ? `must be a whole number from 1 to ${numberText(amountMax)}` : undefined;
  return (
    <FormDialog
      title={verb}
      description={`${isTaking ? "Taken from" : "Given to"} ${params.platformId}, in your name.`}
      submit={verb}
      {...sentBy(change, form)}
      onClose={onClose}
    >
      <TextField
        label="Amount"
        hint="A whole number of XP."
        error={amountFault}
        inputMode="numeric"
        className="tabular-nums"
        {...form.register("amount")}
      />
      <TextField
        label="Reason"
        hint="Shown in the ledger."
        error={faults.reason?.message}
        {...form.register("reason")}
      />
    </FormDialog>
  );
}

/** NaN for a text that is not a positive integer: the schema then reports it. */
function amountOf(text: string, isTaking: boolean): number {
  const digits = plainNumber(text);
  if (!/^\d+$/.test(digits)) return Number.NaN;
  return isTaking ? -Number(digits) : Number(digits);
}
