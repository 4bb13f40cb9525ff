// Members in MongoDB as every subject there has them, and what they sum up to.
import type { Db } from "mongodb";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { memberOf } from "../load/plan.ts";
import type { LedgerTotals } from "./subject.ts";

const DOCUMENTS_PER_INSERT = 5_000;

/** Members without XP, of `clans` in turn. */
export async function insertMembers(
  db: Db,
  { clanIds, total }: { clanIds: readonly string[]; total: number },
): Promise<void> {
  const members = db.collection<MemberDoc>("members");
  for (let from = 0; from < total; from += DOCUMENTS_PER_INSERT) {
    const docs = Array.from({ length: Math.min(DOCUMENTS_PER_INSERT, total - from) }, (_, offset): MemberDoc => {
      const { clan, platformId } = memberOf(from + offset, clanIds.length);
      const clanId = clanIds[clan] ?? "";
      return {
        _id: `${clanId}/${platformId}`,
        clanId,
        platformId,
        xp: 0n,
        seq: 0,
        membership: null,
        appointedRank: null,
      };
    });
    await members.insertMany(docs, { ordered: false });
  }
}

/** What was applied, as the database has it now. */
export async function readMongoTotals(
  db: Db,
  { hasLedger, isLedgerOnly = false }: { hasLedger: boolean; isLedgerOnly?: boolean },
): Promise<LedgerTotals> {
  const [sum] = await db
    .collection(isLedgerOnly ? "ledger" : "members")
    .aggregate<{ xp: bigint | number }>([{ $group: { _id: null, xp: { $sum: isLedgerOnly ? "$amount" : "$xp" } } }])
    .toArray();
  // From the collection's own books, which are exact where the server was never killed; to count would fill its cache
  // with the index.
  const entries = hasLedger ? BigInt(await db.collection("ledger").estimatedDocumentCount()) : null;
  return { xp: BigInt(sum?.xp ?? 0), entries };
}
