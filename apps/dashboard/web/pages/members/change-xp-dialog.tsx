// Gives XP to a member, or takes it, with a reason.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AMOUNT_MAX_DEFAULT } from "#domain/bounds.ts";
import { ChangeXpRequest } from "#contract/dashboard/members.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { numberText, wholeNumber } from "../../parts/numbers.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";

type Values = { amount: string; reason: string };
/** `who`: the member in a text. */
type Props = { params: { clanId: string; platformId: string }; who: string; isTaking: boolean; onClose(): void };

export function ChangeXpDialog({ params, who, isTaking, onClose }: Props) {
  // One id for all attempts of this dialog: a change whose response was lost is applied once.
  const [changeId] = useState(randomId);
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  const refresh = (): Promise<void> => invalidate("read-member", "read-member-ledger", "list-members", "read-clan");
  const amountMax = useApi("read-clan", { params: { clanId: params.clanId } }).data?.amountMax ?? AMOUNT_MAX_DEFAULT;
  const requestOf = ({ amount, reason }: Values) => ({
    amount: amountOf(amount, isTaking),
    reason: reason.trim(),
    changeId,
  });
  const form = useForm<Values>({
    resolver: formResolver(requestUpTo(amountMax), requestOf),
    defaultValues: { amount: "", reason: "" },
  });
  const change = useMutation({
    mutationFn: (values: Values) => call("change-xp", { params, body: requestOf(values) }),
    onSuccess(entry) {
      toast({
        title: isTaking ? "XP taken" : "XP given",
        description: `${who} has ${numberText(entry.xp)} XP now.`,
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
  const hasFault = faults.amount !== undefined || faultOf(change.error, "/amount") !== undefined;
  return (
    <FormDialog
      title={verb}
      description={`${isTaking ? "Taken from" : "Given to"} ${who}, in your name.`}
      submit={verb}
      {...sentBy(change, form, "/amount")}
      onClose={onClose}
    >
      <TextField
        label="Amount"
        hint="A whole number of XP."
        error={hasFault ? amountFault(form.getValues("amount"), amountMax) : undefined}
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

/** The request of a clan that permits amounts up to this one. */
function requestUpTo(amountMax: number) {
  const { amount } = ChangeXpRequest.shape;
  return ChangeXpRequest.extend({ amount: amount.refine((value) => Math.abs(value) <= amountMax) });
}

/** The schema permits both signs; here the button determines the sign. */
function amountOf(text: string, isTaking: boolean): number {
  return isTaking ? -wholeNumber(text) : wholeNumber(text);
}

function amountFault(text: string, amountMax: number): string {
  const amount = wholeNumber(text);
  if (amount > amountMax) return `At most ${numberText(amountMax)} XP in one change`;
  // The clan's bound has changed, and the new one is being read.
  if (amount > 0) return "is more than the clan permits";
  return `must be a whole number from 1 to ${numberText(amountMax)}`;
}

/**
 * A random UUID (RFC 9562, version 4). It also works on pages loaded over plain HTTP, where browsers have no
 * crypto.randomUUID.
 */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, "0");
  }).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
