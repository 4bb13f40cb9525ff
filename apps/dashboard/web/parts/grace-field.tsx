// How long an old secret is still good for after it was replaced.
import { useState } from "react";
import { graceHours } from "#contract/dashboard/keys.ts";
import { SelectField } from "./select-field.tsx";

export type GraceHours = (typeof graceHours)[number];
const texts: Record<Exclude<GraceHours, 0>, string> = {
  1: "1 hour",
  24: "24 hours",
  72: "3 days",
  168: "7 days",
};

export function useGrace(): [GraceHours, (hours: GraceHours) => void] {
  return useState<GraceHours>(24);
}

type Props = { hours: GraceHours; onChange(hours: GraceHours): void; hint: string; /** What 0 means. */ none: string };

export function GraceField({ hours, onChange, hint, none }: Props) {
  return (
    <SelectField
      label="Grace period"
      hint={hint}
      options={graceHours.map((one) => [String(one), one === 0 ? none : texts[one]] as const)}
      value={hours}
      onChange={(event) => onChange(graceHours.find((one) => one === Number(event.target.value)) ?? 24)}
    />
  );
}
