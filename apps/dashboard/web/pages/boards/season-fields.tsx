// The times of a season, in the person's time zone.
import type { UseFormReturn } from "react-hook-form";
import { fieldOf } from "../../parts/field-of.ts";
import { LocalTimeField } from "../../parts/local-time-field.tsx";

export type SeasonValues = { startsAt: string; endsAt: string };

/** The form may have other fields, too. */
export function SeasonFields<Values extends SeasonValues>(props: { form: UseFormReturn<Values> }) {
  const form = props.form as unknown as UseFormReturn<SeasonValues>;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LocalTimeField label="Starts" local={form.watch("startsAt")} {...fieldOf(form, "startsAt")} />
      <LocalTimeField label="Ends" local={form.watch("endsAt")} {...fieldOf(form, "endsAt")} />
    </div>
  );
}
