// What boards must show, by the plainest reading of the contract: for each period, it looks at all entries of each
// member again.
import type { Database } from "#mongo/database.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";

export type Expected = { platformId: string; xp: bigint; position: number };

export async function expectedStandings(
  { db }: Pick<Database, "db">,
  clanId: string,
  { startsAt, endsAt, finalAt }: { startsAt: Date; endsAt: Date; finalAt: Date },
): Promise<Expected[]> {
  const all = await db().collection<EntryDoc>("ledger").find({ "_id.clanId": clanId }).toArray();
  const found: { platformId: string; xp: bigint; reachedAt: Date }[] = [];
  for (const [platformId, unsorted] of Map.groupBy(all, ({ _id }) => _id.platformId)) {
    const entries = unsorted.toSorted((a, b) => a._id.seq - b._id.seq);
    const isAward = ({ kind, actor }: EntryDoc): boolean => kind === undefined && actor === undefined;
    const awards = entries.filter((entry) => isAward(entry) && entry.at >= startsAt && entry.at < endsAt);
    const seqs = new Set(awards.map(({ _id }) => _id.seq));
    const reversals = entries.filter(
      ({ kind, reversesSeq = 0, at }) => kind === "reversal" && seqs.has(reversesSeq) && at < finalAt,
    );
    // With clocks that differ by days, the order of the chain and that of the times are not the same.
    const concerns = (entry: EntryDoc): boolean =>
      awards.includes(entry) || reversals.includes(entry) || (entry.kind === "membership" && entry.at < finalAt);
    if (awards.length === 0 || entries.findLast(concerns)?.removed) continue;
    const counted = entries.filter((entry) => awards.includes(entry) || reversals.includes(entry));
    const xp = counted.reduce((sum, { applied }) => sum + BigInt(String(applied)), 0n);
    const reached = counted.findLast(({ applied }) => BigInt(String(applied)) !== 0n) ?? counted[0];
    found.push({ platformId, xp, reachedAt: reached?.at ?? startsAt });
  }
  found.sort(
    (a, b) =>
      Number(b.xp - a.xp) || a.reachedAt.getTime() - b.reachedAt.getTime() || (a.platformId < b.platformId ? -1 : 1),
  );
  return found.map(({ platformId, xp }) => ({
    platformId,
    xp,
    position: 1 + found.filter((one) => one.xp > xp).length,
  }));
}
