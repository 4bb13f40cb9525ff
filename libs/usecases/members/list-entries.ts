// A member's entries, newest first, each award with the entry that took it back.
import { reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/award.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { LedgerStore, Page } from "#usecases/members/ports.ts";
import type { AwardIdOf } from "#usecases/reversals/ports.ts";

/** `reversedBySeq`: the number of the entry that took this award back, where there is one. */
export type ListedEntry = { entry: Entry; reversedBySeq: number | undefined };

/** Throws AppError `unavailable`. */
export type ListEntries = (member: MemberRef, page: { limit: number; beforeSeq: number | null }) => Promise<Page<ListedEntry, number>>;

export function makeListEntries(world: { ledger: Pick<LedgerStore, "listOfMember" | "findByKeys">; awardIdOf: AwardIdOf }): ListEntries {
  const { ledger, awardIdOf } = world;

  function reversalKeyOf(entry: Entry): string {
    return reversalKey(awardIdOf(entry));
  }

  return async function listEntries(member, page) {
    const { items, next } = await ledger.listOfMember(member, page);
    const awards = items.filter(({ kind }) => kind === undefined);
    const reversals = await ledger.findByKeys(
      member,
      awards.map((entry) => reversalKeyOf(entry)),
    );
    return { items: items.map((entry) => ({ entry, reversedBySeq: reversals.get(reversalKeyOf(entry)) })), next };
  };
}
