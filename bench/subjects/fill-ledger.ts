// A service that has been in use: 1,000,000 members with 5 entries each, written as the store itself writes them.
import { memberIdOf } from "#domain/member-id.ts";
import type { Database } from "#mongo/database.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { AMOUNT, memberOf } from "../load/plan.ts";

const MEMBERS = 1_000_000;
const ENTRIES_EACH = 5;
const MEMBERS_PER_INSERT = 2_000;
/** One is written while the next is made. */
const INSERTS_AT_ONCE = 2;
const FIRST_THRESHOLD = 100n;
const AT = new Date("2026-01-01T00:00:00Z");
/** Seeding may be lost with the machine: then the bench is, too. */
const fast = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

/** Answers the number of members. `size`: the share of them that is filled in. */
export async function fillLedger(
  database: Database,
  clanIds: readonly string[],
  { size, log }: { size: number; log: (line: string) => void },
): Promise<number> {
  const total = Math.ceil((MEMBERS * size) / MEMBERS_PER_INSERT) * MEMBERS_PER_INSERT;
  const members = database.db().collection<MemberDoc>("members");
  const ledger = database.db().collection<EntryDoc>("ledger");
  let next = 0;
  async function write(): Promise<void> {
    while (next < total) {
      const from = next;
      next += MEMBERS_PER_INSERT;
      const refs = Array.from({ length: MEMBERS_PER_INSERT }, (_, offset) => {
        const { clan, platformId } = memberOf(from + offset, clanIds.length);
        return { clanId: clanIds[clan] ?? "", platformId };
      });
      await members.insertMany(refs.map(memberDoc), fast);
      await ledger.insertMany(refs.flatMap(entryDocs), fast);
      if (from % (MEMBERS / 10) === 0)
        log(`filling the large ledger: ${from.toLocaleString("en")} of ${total.toLocaleString("en")} members`);
    }
  }
  await Promise.all(Array.from({ length: INSERTS_AT_ONCE }, write));
  await database.db().admin().command({ fsync: 1 });
  return total;
}

type Ref = { clanId: string; platformId: string };

function memberDoc(ref: Ref): MemberDoc {
  const xp = BigInt(ENTRIES_EACH * AMOUNT);
  return { _id: memberIdOf(ref), ...ref, xp, seq: ENTRIES_EACH, membership: null, appointedRank: null };
}

/** All below the first threshold: a guest throughout. */
function entryDocs(ref: Ref): EntryDoc[] {
  return Array.from({ length: ENTRIES_EACH }, (_, index) => {
    const seq = index + 1;
    const xp = BigInt(seq * AMOUNT);
    return docOfEntry({
      ...ref,
      seq,
      key: `${ref.platformId}-${seq}-0123456789`,
      fingerprint: "",
      amount: BigInt(AMOUNT),
      applied: BigInt(AMOUNT),
      xp,
      rank: "Guest",
      previousRank: "Guest",
      nextRank: "Recruit",
      xpToNextRank: FIRST_THRESHOLD - xp,
      membershipCreated: false,
      apiKeyId: "0123456789ab",
      at: AT,
    });
  });
}
