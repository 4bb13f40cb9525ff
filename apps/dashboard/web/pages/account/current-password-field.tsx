// The current password, which is required for a change of the account's ways to sign in.
import type { ComponentProps } from "react";
import { faultOf } from "../../parts/error-texts.ts";
import { TextField } from "../../parts/text-field.tsx";

/** `error`: the error of the request; shown here only if it concerns this field. */
type Props = ComponentProps<"input"> & { error: Error | null };

export function CurrentPasswordField({ error, ...input }: Props) {
  const fault = faultOf(error, "/current");
  return (
    <TextField {...input} label="Current password" type="password" autoComplete="current-password" error={fault} />
  );
}
