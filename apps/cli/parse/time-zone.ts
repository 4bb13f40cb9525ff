// Parses the name of a time zone.
import { timeZoneNames, timeZoneOf, type TimeZone } from "#domain/time-zone.ts";
import { didYouMean } from "../cli-error.ts";
import type { Faults } from "./options.ts";

/** Null, and a fault is recorded, if there is no such time zone. */
export function timeZoneIn(option: string, text: string, faults: Faults): TimeZone | null {
  const zone = timeZoneOf(text);
  if (!zone)
    faults.push(`${option} is a time zone of the IANA database, as Europe/Berlin, not "${text}".${suggestion(text)}`);
  return zone;
}

/** By its whole name, or by its city. */
function suggestion(text: string): string {
  const names = timeZoneNames();
  const cities = new Map(names.map((name) => [cityOf(name), name]));
  const named = cities.get(cityOf(text));
  if (named !== undefined) return ` Did you mean "${named}"?`;
  const hint = didYouMean(text, [...names, ...cities.keys()]);
  const word = /"(.*)"/.exec(hint)?.[1] ?? "";
  return hint.replace(`"${word}"`, `"${cities.get(word) ?? word}"`);
}

function cityOf(name: string): string {
  return name
    .slice(name.lastIndexOf("/") + 1)
    .toLowerCase()
    .replaceAll(" ", "_");
}
