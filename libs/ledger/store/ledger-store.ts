// Everything that the ledger reads and writes in MongoDB.
import type { LedgerStore, MemberRebuild } from "#ledger/ports.ts";
import type { Database } from "#mongo/database.ts";
import { makeLedgerWriter } from "#ledger/store/ledger-writer.ts";
import { makeMemberProjection } from "#ledger/store/member-projection.ts";
import { makeReadEntries } from "#ledger/store/read-entries.ts";
import { makeHeadReads } from "#ledger/store/read-heads.ts";

export function makeLedgerStore({ db }: Pick<Database, "db">): LedgerStore & MemberRebuild {
  const { readWholeHeads, ...headReads } = makeHeadReads({ db });
  return {
    ...headReads,
    ...makeLedgerWriter({ db }),
    ...makeMemberProjection({ db, readWholeHeads }),
    readEntries: makeReadEntries({ db }),
  };
}
