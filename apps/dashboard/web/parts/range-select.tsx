// Selects the range of time that a chart shows.
import { useId } from "react";
import { rangeTexts } from "./range-texts.ts";

type Props<Range extends string> = {
  ranges: readonly Range[];
  value: NoInfer<Range>;
  onChange(range: NoInfer<Range>): void;
};

export function RangeSelect<Range extends keyof typeof rangeTexts>({ ranges, value, onChange }: Props<Range>) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-muted">
        Range
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(ranges.find((range) => range === target.value) ?? value)}
        className="field w-auto!"
      >
        {ranges.map((range) => (
          <option key={range} value={range}>
            {rangeTexts[range]}
          </option>
        ))}
      </select>
    </span>
  );
}
