// A checkbox for each of a few choices, with an explanation.
import type { ComponentProps } from "react";

type Props<Choice extends string> = ComponentProps<"input"> & {
  label: string;
  /** Each choice with what it means. */
  choices: Readonly<Record<Choice, string>>;
  /** Those that cannot be made. */
  disabledChoices?: readonly Choice[];
  error: string | undefined;
};

export function ChoicesField<Choice extends string>({
  label,
  choices,
  disabledChoices = [],
  error,
  ...wiring
}: Props<Choice>) {
  return (
    <fieldset aria-label={label}>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="grid gap-1.5">
        {Object.entries<string>(choices).map(([choice, meaning]) => (
          <label key={choice} className="flex items-baseline gap-2.5">
            <input
              {...wiring}
              type="checkbox"
              value={choice}
              disabled={disabledChoices.some((one) => one === choice)}
              aria-label={choice}
              aria-description={meaning}
              className="size-4 translate-y-0.5 accent-accent"
            />
            <span>
              {choice} <span className="text-sm text-muted">{meaning}</span>
            </span>
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-danger-ink">
          {label} {error}
        </p>
      )}
    </fieldset>
  );
}
