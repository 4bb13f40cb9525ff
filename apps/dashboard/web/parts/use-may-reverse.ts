// Whether the person may reverse an award: owners any, a moderator what they gave.
import type { MemberEntry } from "#contract/dashboard/members.ts";
import { giverOf } from "#domain/moderator.ts";
import { useClan } from "./use-clan.ts";

export function useMayReverse(): (entry: MemberEntry) => boolean {
  const { mayGive, moderator } = useClan();
  return (entry) => mayGive && (moderator === null || giverOf(entry) === moderator);
}
