// Divides a clan's entries of a time span, newest first, into parts of a bounded number, by an index alone.
import type { Collection, Filter, IndexSpecification } from "mongodb";
import { BY_TIME, type EntryDoc } from "#ledger/store/entry-model.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";

type Span = { clanId: string; from: Date; until: Date };
/** Another index that begins with the clan and these fields, then the time. */
type Index = { match: Filter<EntryDoc>; hint: IndexSpecification };

/** The time of the entry that comes after so many of the newest ones. Null: the span has no more than these. */
export async function timeBeyond(
  ledger: Collection<EntryDoc>,
  { clanId, from, until }: Span,
  entries: number,
  { match, hint }: Index = { match: {}, hint: BY_TIME },
): Promise<Date | null> {
  const inSpan = { "_id.clanId": clanId, ...match, at: { $gte: from, $lt: until } };
  const options = { ...MAJORITY, projection: { _id: 0, at: 1 }, hint } as const;
  const [beyond] = await ledger.find<{ at: Date }>(inSpan, options).sort({ at: -1 }).skip(entries).limit(1).toArray();
  return beyond?.at ?? null;
}
