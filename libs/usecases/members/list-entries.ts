// Ledger entries as people read them: each award with the entry that reversed it.
import { reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Page } from "#domain/page.ts";
import type { EntryPage, EntryPosition, LedgerReader } from "#usecases/members/ports.ts";
import type { AwardIdOf } from "#usecases/reversals/ports.ts";

/** `reversedBySeq`: the number of the entry that reversed this one, if there is one. */
export type ListedEntry = { entry: Entry; reversedBySeq: number | undefined };

/** Throws AppError `unavailable`. */
export type ListEntries = {
  /** Newest first, starting below `beforeSeq`; of one kind, if it is given (see LedgerReader). */
  ofMember(member: MemberRef, page: EntryPage): Promise<Page<ListedEntry, number>>;
  /**
   * A clan's entries by platformId, then seq, in pages; one empty page if there are none. `platformId`: those of this
   * member only.
   */
  ofClan(clanId: string, pageSize: number, platformId?: string): AsyncGenerator<ListedEntry[]>;
};

export function makeListEntries({ reader, awardIdOf }: { reader: EntryReads; awardIdOf: AwardIdOf }): ListEntries {
  async function withReversals(clanId: string, entries: readonly Entry[]): Promise<ListedEntry[]> {
    const keys = entries.map((entry) => (isReversible(entry) ? reversalKey(awardIdOf(entry)) : null));
    const present = keys.filter((key) => key !== null);
    const platformIds = [...new Set(entries.map(({ platformId }) => platformId))];
    const found = present.length === 0 ? null : await reader.findByKeys(clanId, { platformIds, keys: present });
    return entries.map((entry, index) => ({ entry, reversedBySeq: found?.get(keys[index] ?? "") }));
  }

  return {
    async ofMember(member, page) {
      const { items, next } = await reader.listOfMember(member, page);
      return { items: await withReversals(member.clanId, items), next };
    },
    async *ofClan(clanId, limit, platformId) {
      let after: EntryPosition | null = platformId === undefined ? null : { platformId, seq: 0 };
      for (let isFirst = true; isFirst || after; isFirst = false) {
        const { items, next }: Page<Entry, EntryPosition> = await reader.listOfClan(clanId, { limit, after });
        const wanted = platformId === undefined ? items : items.filter((entry) => entry.platformId === platformId);
        yield await withReversals(clanId, wanted);
        // The member's entries are followed by those of another one.
        after = wanted.length < items.length ? null : next;
      }
    },
  };
}

/** Awards, and what a reset took. */
function isReversible({ kind }: Entry): boolean {
  return kind === undefined || kind === "reset";
}

type EntryReads = Pick<LedgerReader, "listOfMember" | "listOfClan" | "findByKeys">;
