// A field of a whole number, with the keyboard of digits on a phone.
import type { ComponentProps } from "react";
import { TextField } from "./text-field.tsx";

export function NumberField(field: Omit<ComponentProps<typeof TextField>, "inputMode" | "className">) {
  return <TextField {...field} inputMode="numeric" className="tabular-nums" />;
}
