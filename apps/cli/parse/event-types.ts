// Parses --type: types of events, and groups of them by their first part.
import { eventTypes, familyOf, type EventType } from "#domain/event.ts";
import { didYouMean } from "../cli-error.ts";
import type { Faults } from "./options.ts";

/** Without any: all types. `member.*` names all types that begin with `member.`. */
export function eventTypesIn(words: readonly string[] | undefined, faults: Faults): EventType[] {
  if (words === undefined) return [...eventTypes];
  const groups = new Set(eventTypes.map(familyOf));
  const chosen = new Set<EventType>();
  for (const word of words) {
    const named = eventTypes.filter((type) => type === word || familyOf(type) === word);
    for (const type of named) chosen.add(type);
    if (named.length === 0) {
      const known = [...eventTypes, ...groups];
      faults.push(`--type is one of ${known.join(", ")}, not "${word}".${didYouMean(word, known)}`);
    }
  }
  return [...chosen];
}
