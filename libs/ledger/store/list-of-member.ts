// Lists the entries of one member, newest first, all of them or those of one kind.
import type { Filter } from "mongodb";
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import { pageOf, type Page } from "#domain/page.ts";
import { ENTRIES_SEARCHED_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { BY_ID, idsOfMember } from "#ledger/store/ledger-filters.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { LedgerReader } from "#members/ports.ts";

export function makeListOfMember({ db }: Pick<Database, "db">): LedgerReader["listOfMember"] {
  /** Newest first, of those with numbers between these two. */
  async function entriesOf(
    { clanId, platformId }: MemberRef,
    { above, below, limit }: { above: number; below: number; limit: number },
    filter: Filter<EntryDoc>,
  ): Promise<Page<Entry, number>> {
    // A range over the whole `_id`, so that its index serves filter and order alike.
    const range = { $gt: { clanId, platformId, seq: above }, $lt: { clanId, platformId, seq: below } };
    const docs = await db()
      .collection<EntryDoc>("ledger")
      .find({ ...idsOfMember({ clanId, platformId }, range), ...NO_FENCE, ...filter }, { ...MAJORITY, hint: BY_ID })
      .sort({ _id: -1 })
      .limit(limit + 1)
      .toArray();
    return pageOf(docs.map(entryOfDoc), limit, ({ seq }) => seq);
  }

  return (member, { limit, beforeSeq, kind }) =>
    read(async () => {
      const below = beforeSeq ?? Number.MAX_SAFE_INTEGER;
      if (kind === undefined) return entriesOf(member, { above: 0, below, limit }, {});
      const [newest] = (await entriesOf(member, { above: 0, below, limit: 1 }, {})).items;
      if (!newest) return { items: [], next: null };
      // The numbers of entries have no gaps.
      const above = Math.max(0, newest.seq - ENTRIES_SEARCHED_MAX);
      const ofKind = { kind: kind === "award" ? { $exists: false } : kind };
      const { items, next } = await entriesOf(member, { above, below, limit }, ofKind);
      return { items, next: next ?? (above > 0 ? above + 1 : null) };
    });
}
