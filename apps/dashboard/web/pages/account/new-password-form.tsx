// A new password, and the current one if there is one.
import { useForm } from "react-hook-form";
import { PASSWORD_CHARS_MIN } from "#domain/account.ts";
import { PasswordRequest } from "#contract/dashboard/account.ts";
import { Button } from "../../parts/button.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { formResolver } from "../../parts/form-resolver.ts";
import { TextField } from "../../parts/text-field.tsx";
import { useFaultFocus } from "../../parts/use-fault-focus.ts";
import { CurrentPasswordField } from "./current-password-field.tsx";

type Values = { current: string; password: string };
type Props = {
  accountName: string;
  needsCurrent?: boolean;
  isBusy: boolean;
  submitLabel: string;
  /** The error of the last attempt. */
  error?: Error | null;
  onSubmit(values: Values): void;
};

export function NewPasswordForm({ accountName, needsCurrent, isBusy, submitLabel, error = null, onSubmit }: Props) {
  const form = useForm<Values>({
    resolver: formResolver(PasswordRequest),
    defaultValues: { current: "", password: "" },
  });
  const ref = useFaultFocus(isBusy);
  return (
    <form ref={ref} noValidate onSubmit={(event) => void form.handleSubmit(onSubmit)(event)} className="grid gap-4">
      {/* For password managers. */}
      <input type="text" name="username" autoComplete="username" value={accountName} readOnly hidden />
      {needsCurrent ? <CurrentPasswordField {...form.register("current")} error={error} /> : null}
      <TextField
        label="New password"
        hint={`At least ${PASSWORD_CHARS_MIN} characters; a few words are easy to remember.`}
        type="password"
        autoComplete="new-password"
        {...fieldOf(form, "password")}
      />
      <Button type="submit" kind="primary" busy={isBusy} className="justify-self-start">
        {submitLabel}
      </Button>
    </form>
  );
}
