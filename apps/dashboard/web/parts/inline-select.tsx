// A select in one line with its label, above what it changes.
import { useId } from "react";

type Props<Value extends string> = {
  label: string;
  options: readonly (readonly [value: Value, text: string])[];
  value: NoInfer<Value>;
  onChange(value: NoInfer<Value>): void;
};

export function InlineSelect<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(options.find(([one]) => one === target.value)?.[0] ?? value)}
        className="field w-auto!"
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}
