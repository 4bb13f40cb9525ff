// Ledger entries as people read them: each award with the entry that reversed it.
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Page } from "#domain/page.ts";
import type { EntryPage, EntryPosition, LedgerReader } from "#members/ports.ts";
import type { AwardIdOf } from "#reversals/ports.ts";
import { makeWithReversals, type ListedEntry } from "#members/with-reversals.ts";

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
  const withReversals = makeWithReversals({ reader, awardIdOf });
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

type EntryReads = Pick<LedgerReader, "listOfMember" | "listOfClan" | "findByKeys">;
