// Chooses one of a few options that are all visible.
import { useId } from "react";

type Props<Option extends string> = {
  label: string;
  options: readonly Option[];
  value: NoInfer<Option>;
  onChange(option: NoInfer<Option>): void;
};

export function RadioSwitch<Option extends string>({ label, options, value, onChange }: Props<Option>) {
  const name = useId();
  return (
    <fieldset className="inline-flex rounded-lg border border-field p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option}
          className="relative rounded-md px-3 py-1 font-medium text-muted has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink"
        >
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
