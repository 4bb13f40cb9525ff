// Gives XP to one member or to each of several, or takes it, with a reason.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AMOUNT_MAX_DEFAULT } from "#domain/bounds.ts";
import { ChangeXpRequest, type MemberEntry } from "#contract/dashboard/members.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { faultOf } from "../../parts/error-texts.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import type { NamedMember } from "../../parts/member-name.tsx";
import { numberText, wholeNumber } from "../../parts/numbers.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { NumberField } from "../../parts/number-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { useUndo } from "../../parts/use-undo.ts";
import { Failures } from "./failures.tsx";
import { membersText } from "./members-text.ts";
import { useEachMember } from "./use-each-member.ts";

type Values = { amount: string; reason: string };
/** `onDone`: called for each member whose XP was changed. */
type Props = {
  clanId: string;
  members: readonly NamedMember[];
  isTaking: boolean;
  /** What the only member has. */
  xp?: string;
  onDone?: (platformId: string) => void;
  onClose(): void;
};

export function ChangeXpDialog({ clanId, members, isTaking, xp, onDone, onClose }: Props) {
  // One id a member for all attempts of this dialog: a change whose response was lost is applied once.
  const [changeIds] = useState(() => new Map(members.map(({ platformId }) => [platformId, randomId()])));
  const who = membersText(members);
  const toWhom = isTaking ? "Taken from" : "Given to";
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  const refresh = (): Promise<void> => invalidate("read-member", "read-member-ledger", "list-members", "read-clan");
  const { amountMax, amountHint, xpFloor } = useBounds(clanId);
  const requestOf = ({ amount, reason }: Values, platformId = members[0]?.platformId ?? "") => ({
    amount: amountOf(amount, isTaking),
    reason: reason.trim(),
    changeId: changeIds.get(platformId) ?? "",
  });
  const form = useForm<Values>({
    resolver: formResolver<Values>(requestUpTo(amountMax), (values) => requestOf(values)),
    defaultValues: { amount: "", reason: "" },
  });
  const change = useEachMember({
    members,
    async change({ platformId }: NamedMember, values: Values) {
      const params = { clanId, platformId };
      return { params, entry: await call("change-xp", { params, body: requestOf(values, platformId) }) };
    },
    onAll(changes) {
      const [only] = changes.length === 1 ? changes : [];
      toast({
        title: isTaking ? "XP taken" : "XP given",
        description: only ? `${who} has ${numberText(only.entry.xp)} XP now.` : `${toWhom} ${who}.`,
        undo: undo(async () => {
          for (const { params, entry } of changes) await reverse(params, entry);
          await refresh();
        }, "Reversing …"),
      });
      onClose();
    },
    onDone,
    onSettled: refresh,
  });
  const each = `${change.left.length === 1 ? "" : "each of "}${membersText(change.left)}`;
  const verb = isTaking ? "Take XP" : "Give XP";
  const faults = form.formState.errors;
  const hasFault = faults.amount !== undefined || faultOf(change.error, "/amount") !== undefined;
  return (
    <FormDialog
      title={verb}
      description={`${toWhom} ${each}, in your name.`}
      submit={verb}
      {...sentBy(change, form, "/amount")}
      onClose={onClose}
    >
      <Failures failures={change.failures} left={change.left.length} />
      <NumberField
        label="Amount"
        hint={(isTaking ? floorText(xp, xpFloor, form.watch("amount")) : null) ?? amountHint}
        error={hasFault ? amountFault(form.getValues("amount"), amountMax) : undefined}
        {...form.register("amount")}
      />
      <TextField label="Reason" hint="Shown in the ledger." {...fieldOf(form, "reason")} />
    </FormDialog>
  );
}

/** The most that the person may give or take at a time. Moderators reach it soon, so the field says it to them. */
function useBounds(clanId: string): { amountMax: number; amountHint: string; xpFloor: string | null } {
  const isModerator = useClan().moderator !== null;
  const { data } = useApi("read-clan", { params: { clanId } });
  const { amountMax = AMOUNT_MAX_DEFAULT, moderatorBounds, xpFloor = null } = data ?? {};
  if (!isModerator || !moderatorBounds) return { amountMax, amountHint: "A whole number of XP.", xpFloor };
  const most = Math.min(amountMax, moderatorBounds.xpPerAward);
  return { amountMax: most, amountHint: `A whole number of XP, at most ${numberText(most)}.`, xpFloor };
}

/** What is taken if the clan's minimum permits less than the person asks for; null: all of it, or it is not known. */
function floorText(xp: string | undefined, xpFloor: string | null, amount: string): string | null {
  if (xp === undefined || xpFloor === null) return null;
  const most = BigInt(xp) > BigInt(xpFloor) ? BigInt(xp) - BigInt(xpFloor) : 0n;
  if (!(wholeNumber(amount) > Number(most))) return null;
  return `Takes ${most === 0n ? "nothing" : `${numberText(most)} XP`}: the minimum is ${numberText(xpFloor)}.`;
}

function reverse(params: { clanId: string; platformId: string }, { awardId }: MemberEntry): Promise<unknown> {
  return call("reverse-award", { params: { ...params, awardId }, body: { reason: "undone" } });
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
