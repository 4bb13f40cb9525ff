// A field of a form with its label, hint and fault, associated for screen readers.
import { useId, type ReactNode } from "react";

type Wiring = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };
export type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** On a wide screen, the header of a column shows the label. */
  inTable?: boolean;
};
type Props = FieldProps & { children(wiring: Wiring): ReactNode };

export function Field({ label, hint, error, inTable = false, children }: Props) {
  const id = useId();
  const described = [hint === undefined ? null : `${id}-hint`, error === undefined ? null : `${id}-error`].filter(
    (part) => part !== null,
  );
  return (
    <div>
      <label htmlFor={id} className={`mb-1 block ${inTable ? "text-sm text-muted lg:sr-only" : "font-medium"}`}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described.join(" ") || undefined,
        "aria-invalid": error === undefined ? undefined : true,
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm text-danger-ink">
          {isSentence(error) ? error : `${label} ${error}`}
        </p>
      )}
    </div>
  );
}

/** Most faults complete a sentence that begins with the label, such as "must be a whole number". */
function isSentence(error: string): boolean {
  return /^\p{Lu}/u.test(error);
}
