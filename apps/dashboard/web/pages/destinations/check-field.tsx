// A single checkbox with its label.
import type { ComponentProps } from "react";

export function CheckField({ label, ...wiring }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className="flex items-baseline gap-2.5">
      <input {...wiring} type="checkbox" className="size-4 translate-y-0.5 accent-accent" />
      <span>{label}</span>
    </label>
  );
}
