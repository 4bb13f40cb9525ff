// How many members a list has.
import type { FoundMembers } from "#contract/dashboard/members.ts";
import { numberText } from "../../parts/numbers.ts";

/** Null: they are being counted for the first time. */
export function foundText(found: FoundMembers | null): string {
  if (found === null) return "Counting …";
  const { value, accuracy } = found;
  const members = value === 1 ? "member" : "members";
  return `${prefixes[accuracy]}${numberText(value)} ${members}`;
}

const prefixes = { exact: "", about: "About ", atLeast: "At least " } as const;
