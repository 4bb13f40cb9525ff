// A member's chain, read in parts: it may have any length, and memory holds one part.
import type { MemberRef } from "#domain/member-id.ts";
import type { CountedEntry } from "#domain/standing.ts";
import type { LedgerChanges, Rest } from "#ledger/ports.ts";
import type { UncountedEntries } from "#boards/ports.ts";

/**
 * The members with entries since then, each with the lowest number of these. With clocks that differ, it may be that of
 * the last one in time.
 */
export async function firstSeqs(
  reader: LedgerChanges,
  clanId: string,
  since: Date,
  rest?: Rest,
): Promise<Map<string, number>> {
  const first = new Map<string, number>();
  for await (const members of reader.listChanged([clanId], since, rest))
    for (const { platformId, firstSeq } of members)
      first.set(platformId, Math.min(firstSeq, first.get(platformId) ?? firstSeq));
  return first;
}

/**
 * The next part: behind `last`, or from number `from` on if nothing was read yet. Null: `last` is not in the chain any
 * more, because the member was erased, or the ledger went back.
 */
export async function nextPart(
  entries: Pick<UncountedEntries, "readChain">,
  member: MemberRef,
  { last, from, limit }: { last: CountedEntry | null; from: number; limit: number },
): Promise<readonly CountedEntry[] | null> {
  if (!last) return entries.readChain(member, { from, limit });
  const [first, ...rest] = await entries.readChain(member, { from: last.seq, limit: limit + 1 });
  return first && isSame(first, last) ? rest : null;
}

function isSame(a: CountedEntry, b: CountedEntry): boolean {
  return a.seq === b.seq && a.at.getTime() === b.at.getTime() && a.applied === b.applied && a.what === b.what;
}
