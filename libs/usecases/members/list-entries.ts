// Ledger entries as people read them: each award with the entry that reversed it.
import { reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Page } from "#domain/page.ts";
import type { EntryPosition, LedgerStore } from "#usecases/members/ports.ts";
import type { AwardIdOf } from "#usecases/reversals/ports.ts";

/** `reversedBySeq`: the number of the entry that reversed this award, if there is one. */
export type ListedEntry = { entry: Entry; reversedBySeq: number | undefined };

/** Throws AppError `unavailable`. */
export type ListEntries = {
  /** Newest first, starting below `beforeSeq`. */
  ofMember(member: MemberRef, page: { limit: number; beforeSeq: number | null }): Promise<Page<ListedEntry, number>>;
  /** A clan's entries by platformId, then seq, in pages; one empty page if there are none. */
  ofClan(clanId: string, pageSize: number): AsyncGenerator<ListedEntry[]>;
};

export function makeListEntries({ ledger, awardIdOf }: { ledger: EntryReads; awardIdOf: AwardIdOf }): ListEntries {
  async function withReversals(clanId: string, entries: readonly Entry[]): Promise<ListedEntry[]> {
    const keys = entries.map((entry) => (entry.kind === undefined ? reversalKey(awardIdOf(entry)) : null));
    const present = keys.filter((key) => key !== null);
    const platformIds = [...new Set(entries.map(({ platformId }) => platformId))];
    const found = present.length === 0 ? null : await ledger.findByKeys(clanId, { platformIds, keys: present });
    return entries.map((entry, index) => ({ entry, reversedBySeq: found?.get(keys[index] ?? "") }));
  }

  return {
    async ofMember(member, page) {
      const { items, next } = await ledger.listOfMember(member, page);
      return { items: await withReversals(member.clanId, items), next };
    },
    async *ofClan(clanId, limit) {
      for (let after: EntryPosition | null = null, isFirst = true; isFirst || after; isFirst = false) {
        const page: Page<Entry, EntryPosition> = await ledger.listOfClan(clanId, { limit, after });
        yield await withReversals(clanId, page.items);
        after = page.next;
      }
    },
  };
}

type EntryReads = Pick<LedgerStore, "listOfMember" | "listOfClan" | "findByKeys">;
