// A field of one line of text: accepts all props of an input, and those of a field.
import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./field.tsx";

type Props = ComponentProps<"input"> & FieldProps;

export function TextField({ label, hint, error, inTable = false, className = "", ...input }: Props) {
  return (
    <Field label={label} hint={hint} error={error} inTable={inTable}>
      {(wiring) => <input autoComplete="off" {...input} {...wiring} className={`field ${className}`} />}
    </Field>
  );
}
