// The time span in which a leaked key may have been misused.
import { useForm } from "react-hook-form";
import { KeyReversalRequest } from "#contract/dashboard/key-reversals.ts";
import { Button } from "../../parts/button.tsx";
import { DialogButtons } from "../../parts/dialog.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { formResolver } from "../../parts/form-resolver.ts";
import { localText, timestampOf } from "../../parts/local-time.ts";
import { TextField } from "../../parts/text-field.tsx";

type Values = { from: string; to: string; reason: string };
type Props = {
  createdAt: string;
  /** The previous request, if the person returned to this form. */
  before: KeyReversalRequest | null;
  onClose(): void;
  onPreview(request: KeyReversalRequest): void;
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export function KeySpanForm({ createdAt, before, onClose, onPreview }: Props) {
  const form = useForm<Values>({
    resolver: formResolver(KeyReversalRequest, requestOf),
    defaultValues: before ? valuesOf(before) : { from: suggested(createdAt), to: "", reason: "leaked key" },
  });
  const faults = form.formState.errors;
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => onPreview(requestOf(form.getValues())))(event)}
      className="grid gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="From"
          hint="The earliest time at which the key may have been misused."
          error={faults.from && "must be a date and a time"}
          type="datetime-local"
          autoFocus
          {...form.register("from")}
        />
        <TextField
          label="To"
          hint="Empty: until now."
          error={faults.to && "must be later than From"}
          type="datetime-local"
          {...form.register("to")}
        />
      </div>
      <TextField label="Reason" hint="Shown in the ledger." {...fieldOf(form, "reason")} />
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" kind="primary">
          Preview
        </Button>
      </DialogButtons>
    </form>
  );
}

/** The last day, or the time since the creation of a younger key. */
function suggested(createdAt: string): string {
  return localText(Math.max(Date.now() - DAY_MS, Math.floor(Date.parse(createdAt) / MINUTE_MS) * MINUTE_MS));
}

function requestOf({ from, to, reason }: Values): KeyReversalRequest {
  return {
    from: timestampOf(from),
    ...(to === "" ? {} : { to: timestampOf(to) }),
    reason: reason.trim() === "" ? null : reason.trim(),
  };
}

function valuesOf({ from, to, reason }: KeyReversalRequest): Values {
  return {
    from: localText(Date.parse(from)),
    to: to === undefined ? "" : localText(Date.parse(to)),
    reason: reason ?? "",
  };
}
