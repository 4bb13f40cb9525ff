// A field for a date and a time in the person's time zone, which also shows it in UTC.
import type { ComponentProps } from "react";
import { timestampOf } from "./local-time.ts";
import { TextField } from "./text-field.tsx";
import { ZonedTime } from "./time.tsx";

type Props = Omit<ComponentProps<typeof TextField>, "type" | "hint"> & { local: string };

/** `local`: what the person has typed. */
export function LocalTimeField({ local, error, ...field }: Props) {
  return (
    <TextField
      {...field}
      type="datetime-local"
      hint={Number.isNaN(Date.parse(local)) ? "In your time zone." : <ZonedTime at={timestampOf(local)} />}
      error={error && faultText(error)}
    />
  );
}

/** Other faults name a form of text that people do not see. */
function faultText(fault: string): string {
  return fault.includes("beginning") ? fault : "must be a date and a time";
}
