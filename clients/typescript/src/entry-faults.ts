// What a 400 of a call says of each of its entries.
import type { ClanXpError } from "./error.ts";

type Fault = { pointer: string; detail: string };

/** By the entry's index; pointers begin at the entry. */
export function entryFaults({ status, errors = [] }: ClanXpError): Map<number, Fault[]> {
  const byIndex = new Map<number, Fault[]>();
  if (status !== 400) return byIndex;
  for (const { pointer, detail } of errors) {
    const [, index, rest = ""] = /^\/awards\/(\d+)(\/.*)?$/s.exec(pointer) ?? [];
    if (index === undefined) continue;
    byIndex.set(Number(index), [...(byIndex.get(Number(index)) ?? []), { pointer: rest, detail }]);
  }
  return byIndex;
}
