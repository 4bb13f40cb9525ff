// The current password, which a change of how the account signs in asks for again.
import type { ComponentProps } from "react";
import { faultOf } from "../../parts/fault-of.ts";
import { TextField } from "../../parts/text-field.tsx";

/** `error`: what the request was answered; it is shown here only where it is about this field. */
type Props = ComponentProps<"input"> & { error: Error | null };

export function CurrentPasswordField({ error, ...input }: Props) {
  const fault = faultOf(error, "/current");
  return (
    <TextField {...input} label="Current password" type="password" autoComplete="current-password" error={fault} />
  );
}
