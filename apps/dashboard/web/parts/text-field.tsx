// A field of one line of text: accepts all props of an input, and those of a field.
import type { ComponentProps, ReactNode } from "react";
import { Field } from "./field.tsx";

type Props = ComponentProps<"input"> & { label: string; hint?: ReactNode; error?: string | undefined };

export function TextField({ label, hint, error, className = "", ...input }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => <input autoComplete="off" {...input} {...wiring} className={`field ${className}`} />}
    </Field>
  );
}
