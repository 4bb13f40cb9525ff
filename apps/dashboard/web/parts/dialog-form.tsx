// The form of a dialog, which a person submits or cancels: the error, the fields, and the two buttons. While a request
// is in progress, it is not submitted again.
import { useState, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { DialogButtons } from "./dialog.tsx";
import { isSameName } from "./same-name.ts";
import { Failed } from "./states.tsx";
import { TextField } from "./text-field.tsx";
import { useFaultFocus } from "./use-fault-focus.ts";

export type DialogFormProps = {
  /** The error of the last attempt, unless a field shows it. */
  error: Error | null;
  /** The button that submits, such as "Create". */
  submit: string;
  /** For actions that cannot be undone. */
  isDanger?: boolean;
  isDisabled?: boolean;
  /** The name or the id that the person types first, to confirm what they do. */
  confirms?: string;
  isBusy: boolean;
  /** An error that fields show, if it can occur without a request. */
  fieldError?: Error | null;
  /** Clears the error of the last attempt, because the values have changed since. */
  onEdit?: () => void;
  cancel?: string;
  onSubmit(): void;
  onClose(): void;
  children?: ReactNode;
};

export function DialogForm({
  error,
  fieldError = null,
  onEdit,
  onSubmit,
  onClose,
  children,
  ...buttons
}: DialogFormProps) {
  const { submit, isDanger = false, confirms, isBusy, cancel = "Cancel" } = buttons;
  const [typed, setTyped] = useState("");
  const isDisabled = buttons.isDisabled === true || (confirms !== undefined && !isSameName(typed, confirms));
  const form = useFaultFocus(fieldError ?? isBusy);
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onInput={isBusy ? undefined : onEdit}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && !isDisabled) onSubmit();
      }}
    >
      {error ? <Failed error={error} /> : null}
      {children}
      {confirms === undefined ? null : (
        <TextField
          label={`Type ${confirms} to confirm`}
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <DialogButtons>
        <Button disabled={isBusy} onClick={onClose}>
          {cancel}
        </Button>
        <Button type="submit" kind={isDanger ? "danger" : "primary"} disabled={isDisabled} busy={isBusy}>
          {submit}
        </Button>
      </DialogButtons>
    </form>
  );
}
