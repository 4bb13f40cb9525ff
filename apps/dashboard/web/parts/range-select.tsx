// Selects the range of time that a chart shows.
import { InlineSelect } from "./inline-select.tsx";
import { rangeTexts } from "./range-texts.ts";

type Props<Range extends string> = {
  ranges: readonly Range[];
  value: NoInfer<Range>;
  onChange(range: NoInfer<Range>): void;
};

export function RangeSelect<Range extends keyof typeof rangeTexts>({ ranges, value, onChange }: Props<Range>) {
  const options = ranges.map((range) => [range, rangeTexts[range]] as const);
  return <InlineSelect label="Range" options={options} value={value} onChange={onChange} />;
}
