// A checkbox for each scope of a key, with an explanation.
import type { ComponentProps } from "react";
import { scopes, type Scope } from "#domain/scope.ts";

const meanings: Record<Scope, string> = {
  award: "give XP to members",
  deduct: "take XP from members",
  reverse: "take awards back",
  read: "read members, ranks and ledgers",
};

export function ScopesField({ error, ...wiring }: ComponentProps<"input"> & { error: string | undefined }) {
  return (
    <fieldset aria-label="Scopes">
      <legend className="mb-1 font-medium">Scopes</legend>
      <div className="grid gap-1.5">
        {scopes.map((scope) => (
          <label key={scope} className="flex items-baseline gap-2.5">
            <input
              {...wiring}
              type="checkbox"
              value={scope}
              aria-label={scope}
              aria-description={meanings[scope]}
              className="size-4 translate-y-0.5 accent-accent"
            />
            <span>
              {scope} <span className="text-sm text-muted">{meanings[scope]}</span>
            </span>
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-danger-ink">
          Scopes {error}
        </p>
      )}
    </fieldset>
  );
}
