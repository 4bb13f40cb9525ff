// The times of a season, in the person's time zone.
import type { UseFormReturn } from "react-hook-form";
import { LocalTimeField } from "../../parts/local-time-field.tsx";

export type SeasonValues = { startsAt: string; endsAt: string };

/** The form may have other fields, too. */
export function SeasonFields<Values extends SeasonValues>(props: { form: UseFormReturn<Values> }) {
  const { register, watch, formState } = props.form as unknown as UseFormReturn<SeasonValues>;
  const faults = formState.errors;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LocalTimeField
        label="Starts"
        local={watch("startsAt")}
        error={faults.startsAt?.message}
        {...register("startsAt")}
      />
      <LocalTimeField label="Ends" local={watch("endsAt")} error={faults.endsAt?.message} {...register("endsAt")} />
    </div>
  );
}
