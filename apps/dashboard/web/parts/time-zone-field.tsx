// A field for a time zone of the IANA database, with the names that the browser knows.
import { useId, type ComponentProps } from "react";
import { timeZoneNames } from "#domain/time-zone.ts";
import { TextField } from "./text-field.tsx";

export function TimeZoneField(field: Omit<ComponentProps<typeof TextField>, "label" | "list">) {
  const list = useId();
  return (
    <>
      <TextField {...field} label="Time zone" list={list} />
      <datalist id={list}>
        {timeZoneNames().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
