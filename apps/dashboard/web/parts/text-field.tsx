// A field of one line of text: accepts all props of an input, and those of a field. A password can be shown.
import { useState, type ComponentProps } from "react";
import { Field, type FieldProps } from "./field.tsx";

type Props = ComponentProps<"input"> & FieldProps;

export function TextField({ label, hint, error, inTable = false, className = "", ...input }: Props) {
  const Input = input.type === "password" ? PasswordInput : "input";
  return (
    <Field label={label} hint={hint} error={error} inTable={inTable}>
      {(wiring) => <Input autoComplete="off" {...input} {...wiring} className={`field ${className}`} />}
    </Field>
  );
}

function PasswordInput({ className = "", ...input }: ComponentProps<"input">) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative">
      <input {...input} type={isShown ? "text" : "password"} spellCheck={false} className={`${className} pr-16!`} />
      <button
        type="button"
        aria-controls={input.id}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 rounded-lg px-3 text-sm text-muted hover:text-ink"
      >
        {isShown ? "Hide" : "Show"}
      </button>
    </div>
  );
}
