// Resets the clan's XP, now or at a time: the values, then what it would take, which the person confirms by typing the
// clan's ID.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ResetRequest } from "#contract/dashboard/resets.ts";
import { useAction } from "../../api/use-action.ts";
import { useApi } from "../../api/use-api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { Fact } from "../../parts/fact.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { formResolver } from "../../parts/form-resolver.ts";
import { LocalTimeField } from "../../parts/local-time-field.tsx";
import { localText, timestampOf } from "../../parts/local-time.ts";
import { numberText, wholeNumber } from "../../parts/numbers.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { Failed, Loading } from "../../parts/states.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { ZonedTime } from "../../parts/time.tsx";

type Values = { when: string; at: string; keep: string; reason: string };
type Props = { clanId: string; onClose(): void };

const DAY_MS = 86_400_000;
const whens = [
  ["now", "Now"],
  ["time", "At a time"],
] as const;

export function ResetDialog({ clanId, onClose }: Props) {
  const [values, setValues] = useState<Values>({
    when: "now",
    at: localText(Date.now() + DAY_MS),
    keep: "0",
    reason: "",
  });
  const [isConfirming, setIsConfirming] = useState(false);
  const submit = useAction("submit-reset", () => ({ params: { clanId }, body: requestOf(values) }), {
    note: ({ status }) =>
      status === "scheduled"
        ? { title: "Reset planned", description: "You can cancel it until then." }
        : { title: "Reset accepted", description: "It begins in some seconds. The list shows its progress." },
    refreshes: ["list-resets"],
    onDone: onClose,
  });
  return (
    <Dialog open sticky={submit.isPending} onClose={onClose} title="Reset XP">
      {isConfirming ? (
        <Confirm
          clanId={clanId}
          request={requestOf(values)}
          error={submit.error}
          isBusy={submit.isPending}
          onEdit={submit.reset}
          onSubmit={submit.mutate}
          onBack={() => setIsConfirming(false)}
        />
      ) : (
        <ValuesForm
          before={values}
          onClose={onClose}
          onPreview={(given) => {
            setValues(given);
            submit.reset();
            setIsConfirming(true);
          }}
        />
      )}
    </Dialog>
  );
}

function ValuesForm({
  before,
  onPreview,
  onClose,
}: {
  before: Values;
  onPreview(values: Values): void;
  onClose(): void;
}) {
  const form = useForm<Values>({
    resolver: formResolver(ResetRequest, requestOf, { keepPercent: "keep" }),
    defaultValues: before,
  });
  return (
    <DialogForm
      error={null}
      submit="Preview"
      isBusy={false}
      onSubmit={() => void form.handleSubmit(() => onPreview(form.getValues()))()}
      onClose={onClose}
    >
      <SelectField label="When" options={whens} {...form.register("when")} />
      {form.watch("when") === "time" ? (
        <LocalTimeField label="Time" local={form.watch("at")} {...fieldOf(form, "at")} />
      ) : null}
      <TextField
        label="Members keep (%)"
        hint="The share of their XP that members keep, rounded down."
        inputMode="numeric"
        {...fieldOf(form, "keep")}
      />
      <TextField label="Reason" hint="Optional. Shown in the ledger." {...fieldOf(form, "reason")} />
    </DialogForm>
  );
}

type ConfirmProps = {
  clanId: string;
  request: ResetRequest;
  error: Error | null;
  isBusy: boolean;
  onEdit(): void;
  onSubmit(): void;
  onBack(): void;
};

function Confirm({ clanId, request: { at, keepPercent }, error, isBusy, onEdit, onSubmit, onBack }: ConfirmProps) {
  const query = { keepPercent: `${keepPercent}`, ...(at === null ? {} : { at }) };
  const preview = useApi("preview-reset", { params: { clanId }, query });
  return (
    <DialogForm
      error={error}
      submit="Reset"
      cancel="Back"
      isDanger
      isDisabled={preview.isPending}
      confirms={clanId}
      isBusy={isBusy}
      onEdit={onEdit}
      onSubmit={onSubmit}
      onClose={onBack}
    >
      {preview.isPending ? <Loading what="what the reset would take" /> : null}
      {preview.error ? <Failed error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {preview.data ? (
        <dl className="grid grid-cols-2 gap-4 rounded-lg bg-sunken p-4 tabular-nums">
          <Fact isLarge name="Members who lose XP">
            {numberText(preview.data.members)}
          </Fact>
          <Fact isLarge name="XP taken">
            {numberText(preview.data.amount)}
          </Fact>
        </dl>
      ) : null}
      <div className="text-muted">
        {at === null ? (
          "The reset takes what members have now."
        ) : (
          <>
            The reset takes what members have at this time. The counts above are those of the present.
            <ZonedTime at={at} />
          </>
        )}
      </div>
    </DialogForm>
  );
}

function requestOf({ when, at, keep, reason }: Values): ResetRequest {
  return {
    at: when === "now" ? null : timestampOf(at),
    keepPercent: wholeNumber(keep),
    reason: reason.trim() === "" ? null : reason.trim(),
  };
}
