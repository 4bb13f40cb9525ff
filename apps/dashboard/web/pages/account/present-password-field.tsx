// The present password, which a change of how the account signs in asks for again.
import { ApiError } from "../../api/api-error.ts";
import { Field } from "../../parts/field.tsx";

/** `error`: what the request was answered; it is shown here only where it is about this field. */
type Props = { value: string; onChange(value: string): void; error: Error | null };

export function PresentPasswordField({ value, onChange, error }: Props) {
  return (
    <Field label="Present password" error={faultOf(error)}>
      {(wiring) => (
        <input
          {...wiring}
          type="password"
          autoComplete="current-password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="field"
        />
      )}
    </Field>
  );
}

function faultOf(error: Error | null): string | undefined {
  return error instanceof ApiError ? error.faults.find(({ pointer }) => pointer === "/current")?.detail : undefined;
}
