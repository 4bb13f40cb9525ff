// A new password, with the present one where there is one.
import { useForm } from "react-hook-form";
import { PASSWORD_CHARS_MIN } from "#domain/account.ts";
import { PasswordRequest } from "#contract/dashboard/account.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { formResolver } from "../../parts/form-resolver.ts";

type Values = { current: string; password: string };
type Props = {
  accountName: string;
  asksCurrent?: boolean;
  isBusy: boolean;
  submitLabel: string;
  /** What the server found wrong with the present password. */
  currentError?: string | undefined;
  onSubmit(values: Values): void;
};

export function NewPasswordForm({
  accountName,
  asksCurrent = false,
  isBusy,
  submitLabel,
  currentError,
  onSubmit,
}: Props) {
  const form = useForm<Values>({
    resolver: formResolver(PasswordRequest),
    defaultValues: { current: "", password: "" },
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(onSubmit)(event)} className="grid gap-4">
      {/* For password managers. */}
      <input type="text" name="username" autoComplete="username" value={accountName} readOnly hidden />
      {asksCurrent ? (
        <Field label="Present password" error={currentError}>
          {(wiring) => (
            <input
              {...wiring}
              {...form.register("current")}
              type="password"
              autoComplete="current-password"
              className="field"
            />
          )}
        </Field>
      ) : null}
      <Field
        label="New password"
        hint={`At least ${PASSWORD_CHARS_MIN} characters; a few words are easy to remember.`}
        error={errors.password?.message}
      >
        {(wiring) => (
          <input
            {...wiring}
            {...form.register("password")}
            type="password"
            autoComplete="new-password"
            className="field"
          />
        )}
      </Field>
      <Button type="submit" kind="primary" busy={isBusy} className="justify-self-start">
        {submitLabel}
      </Button>
    </form>
  );
}
