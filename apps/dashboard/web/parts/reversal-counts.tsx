// What a reversal would take back, as its preview counts it.
import type { ReversalPreview } from "#contract/reversal.ts";
import { Fact } from "./fact.tsx";
import { numberText } from "./numbers.ts";

export function ReversalCounts({ preview: { awards, members, amount } }: { preview: ReversalPreview }) {
  return (
    <dl className="grid grid-cols-3 gap-4 rounded-lg bg-sunken p-4 tabular-nums">
      <Fact isLarge name="Awards">
        {numberText(awards)}
      </Fact>
      <Fact isLarge name="Members">
        {numberText(members)}
      </Fact>
      <Fact isLarge name="XP taken back">
        {numberText(amount)}
      </Fact>
    </dl>
  );
}

/** On the button that reverses them. */
export function reverseText(awards: number): string {
  return awards === 1 ? "Reverse 1 award" : `Reverse ${numberText(awards)} awards`;
}

/** Below the counts. `where`: such as "in this time span". */
export function consequenceText(awards: number, where: string): string {
  return awards === 0
    ? `There is nothing to reverse ${where}.`
    : "XP stays within the clan's minimum and maximum. Memberships stay. This cannot be undone.";
}
