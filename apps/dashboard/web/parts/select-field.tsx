// A field to choose one of a few options.
import type { ComponentProps, ReactNode } from "react";
import { Field } from "./field.tsx";

type Props = ComponentProps<"select"> & {
  label: string;
  hint?: ReactNode;
  options: readonly (readonly [value: string, text: string])[];
};

export function SelectField({ label, hint, options, ...select }: Props) {
  return (
    <Field label={label} hint={hint}>
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
