// Everything that the ledger reads and writes in MongoDB.
import type { LedgerStore, MemberRebuild } from "#ledger/ports.ts";
import type { Database } from "#store/database.ts";
import { makeLedgerWriter } from "#store/ledger/ledger-writer.ts";
import { makeMemberProjection } from "#store/ledger/member-projection.ts";
import { makeReadEntries } from "#store/ledger/read-entries.ts";
import { makeHeadReads } from "#store/ledger/read-heads.ts";

export function makeLedgerStore({ db }: Pick<Database, "db">): LedgerStore & MemberRebuild {
  const { readWholeHeads, ...headReads } = makeHeadReads({ db });
  return {
    ...headReads,
    ...makeLedgerWriter({ db }),
    ...makeMemberProjection({ db, readWholeHeads }),
    readEntries: makeReadEntries({ db }),
  };
}
