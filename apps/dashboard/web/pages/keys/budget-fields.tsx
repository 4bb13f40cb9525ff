// The two fields for how much XP a key may award.
import type { ComponentProps } from "react";
import { TextField } from "../../parts/text-field.tsx";

type Wiring = Omit<ComponentProps<typeof TextField>, "label" | "hint">;

export function BudgetFields({ amountMax, xpPerDay }: { amountMax: Wiring; xpPerDay: Wiring }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...amountMax}
        label="Largest amount"
        hint="Of one award, positive or negative."
        inputMode="numeric"
        className="tabular-nums"
      />
      <TextField
        {...xpPerDay}
        label="XP per day"
        hint="The sum of positive amounts, from midnight UTC."
        inputMode="numeric"
        className="tabular-nums"
      />
    </div>
  );
}
