// The two fields for how much XP a key may award.
import type { ComponentProps } from "react";
import { NumberField } from "../../parts/number-field.tsx";

type Wiring = Omit<ComponentProps<typeof NumberField>, "label" | "hint">;

export function BudgetFields({ amountMax, xpPerDay }: { amountMax: Wiring; xpPerDay: Wiring }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField {...amountMax} label="Largest amount" hint="Of one award, positive or negative." />
      <NumberField {...xpPerDay} label="XP per day" hint="The sum of positive amounts, from midnight UTC." />
    </div>
  );
}
