// A dialog that a person submits or cancels: what failed, its fields, and the two buttons. What is on its way is not
// submitted again.
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { Failed } from "./states.tsx";

type Props = {
  title: string;
  description?: ReactNode;
  /** What the last try was answered, unless a field shows it. */
  error: Error | null;
  /** The button that submits, such as "Create". */
  submit: string;
  /** For what cannot be undone. */
  isDanger?: boolean;
  isDisabled?: boolean;
  isBusy: boolean;
  cancel?: string;
  onSubmit(): void;
  onClose(): void;
  children?: ReactNode;
};

export function FormDialog({ title, description, error, children, onSubmit, onClose, ...buttons }: Props) {
  const { submit, isDanger = false, isDisabled = false, isBusy, cancel = "Cancel" } = buttons;
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && !isDisabled) onSubmit();
        }}
      >
        {error ? <Failed error={error} /> : null}
        {children}
        <DialogButtons>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" kind={isDanger ? "danger" : "primary"} disabled={isDisabled} busy={isBusy}>
            {submit}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
