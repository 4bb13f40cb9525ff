// A secret that is shown once: it cannot be edited, is selected completely, and can be copied with a button.
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { Field } from "./field.tsx";

export function SecretField({ label, secret, hint }: { label: string; secret: string; hint?: ReactNode }) {
  return (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <div className="flex flex-wrap gap-2">
          <input
            {...wiring}
            readOnly
            value={secret}
            spellCheck={false}
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            className="field min-w-0 flex-1 font-mono text-sm"
          />
          <CopyButton text={secret} shownIn={wiring.id} />
        </div>
      )}
    </Field>
  );
}
