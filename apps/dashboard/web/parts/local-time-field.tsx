// A field for a date and a time in the person's time zone, which also shows it in UTC.
import type { ComponentProps } from "react";
import { timestampOf } from "./local-time.ts";
import { TextField } from "./text-field.tsx";
import { ZonedTime } from "./time.tsx";

type Props = Omit<ComponentProps<typeof TextField>, "type" | "hint"> & { local: string };

/** `local`: what the person has typed. */
export function LocalTimeField({ local, error, ...field }: Props) {
  const isTime = !Number.isNaN(Date.parse(local));
  return (
    <TextField
      {...field}
      type="datetime-local"
      hint={isTime ? <ZonedTime at={timestampOf(local)} /> : "In your time zone."}
      // The fault of a text that is no time names a form that people do not see.
      error={error && (isTime ? error : "must be a date and a time")}
    />
  );
}
