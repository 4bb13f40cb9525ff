// The faults of each entry in a 400 response to a call.
import type { ClanXpError, Fault } from "./error.ts";

/** By the index of the entry, of which there are `count`; pointers are relative to the entry. */
export function entryFaults({ status, errors = [] }: ClanXpError, count: number): Map<number, Fault[]> {
  const byIndex = new Map<number, Fault[]>();
  if (status !== 400) return byIndex;
  for (const { pointer, detail } of errors) {
    const [, digits, rest = ""] = /^\/awards\/(\d+)(\/.*)?$/s.exec(pointer) ?? [];
    const index = Number(digits);
    if (index < count) byIndex.set(index, [...(byIndex.get(index) ?? []), { pointer: rest, detail }]);
  }
  return byIndex;
}
