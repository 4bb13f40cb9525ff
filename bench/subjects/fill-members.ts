// Members of a clan with entries from before the measurements, beside those whom the load awards.
import { memberIdOf } from "#domain/member-id.ts";
import type { Entry } from "#domain/entry.ts";
import type { Database } from "#mongo/database.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { makeEntry } from "../../test/support/entry.ts";
import { AMOUNT } from "../load/plan.ts";

const DOCUMENTS_PER_INSERT = 5_000;
/** Seeding may be lost with the machine: then the bench is, too. */
const fast = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

type Filled = {
  clanId: string;
  /** The beginning of their platformIds. */
  prefix: string;
  members: number;
  /** A multiple of `members`: each has one in turn. */
  entries: number;
  /** What the entry has beside the usual. */
  factsOf(index: number): Pick<Entry, "at"> & Partial<Entry>;
  print(line: string): void;
};

export async function fillMembers(database: Database, filled: Filled): Promise<void> {
  const { clanId, prefix, members: count, entries: total, factsOf, print } = filled;
  const ledger = database.db().collection<EntryDoc>("ledger");
  const members = database.db().collection<MemberDoc>("members");
  const indexes = (first: number, end: number): number[] =>
    Array.from({ length: Math.min(DOCUMENTS_PER_INSERT, end - first) }, (_, offset) => first + offset);
  for (let first = 0; first < total; first += DOCUMENTS_PER_INSERT) {
    const entries = indexes(first, total).map((index) => {
      const seq = Math.floor(index / count) + 1;
      const xp = BigInt(seq * AMOUNT);
      const ids = { clanId, platformId: `${prefix}${index % count}`, key: `=${seq}`, seq };
      return makeEntry({ ...ids, amount: BigInt(AMOUNT), applied: BigInt(AMOUNT), xp, ...factsOf(index) });
    });
    await ledger.insertMany(entries.map(docOfEntry), fast);
    print(`filling ${clanId}: ${first.toLocaleString("en")} of ${total.toLocaleString("en")} entries`);
  }
  const seq = total / count;
  for (let first = 0; first < count; first += DOCUMENTS_PER_INSERT) {
    const docs = indexes(first, count).map((index): MemberDoc => {
      const ref = { clanId, platformId: `${prefix}${index}` };
      return { _id: memberIdOf(ref), ...ref, xp: BigInt(seq * AMOUNT), seq, membership: null, appointedRank: null };
    });
    await members.insertMany(docs, fast);
  }
}
