// A field to choose one of a few options.
import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field.tsx";

type Props = ComponentProps<"select"> &
  FieldProps & {
    options: readonly (readonly [value: string, text: string])[];
  };

export function SelectField({ label, hint, error, inTable = false, options, ...select }: Props) {
  return (
    <Field label={label} hint={hint} error={error} inTable={inTable}>
      {(wiring) => (
        <select {...select} {...wiring} className="field">
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
