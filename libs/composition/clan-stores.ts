// The stores of clans, awards, batches and reversals, which every process but the notifier needs.
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { makeEpochStore } from "#ledger/store/epoch-store.ts";
import { makeLedgerReader } from "#ledger/store/ledger-reader.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeProcessStore } from "#ledger/store/process-store.ts";
import { makeChangeClan } from "#ranks/store/change-clan.ts";
import { makeResetStore } from "#resets/store/reset-store.ts";
import { ENTRIES_PER_STEP, REVERSALS_PER_TURN } from "#reversals/bounds.ts";
import { makeAwardSelection } from "#reversals/store/award-selection.ts";
import { makeReversalStore } from "#reversals/store/reversal-store.ts";
import type { Database } from "#mongo/database.ts";

export function makeClanStores(database: Database) {
  return {
    clans: { ...makeClanStore(database), change: makeChangeClan(database) },
    ledgerReader: makeLedgerReader(database),
    ledgerStore: makeLedgerStore(database),
    epochs: makeEpochStore(database),
    processes: makeProcessStore(database),
    batches: makeBatchStore(database),
    reversals: makeReversalStore(database, REVERSALS_PER_TURN),
    resets: makeResetStore(database, REVERSALS_PER_TURN),
    selection: makeAwardSelection(database, ENTRIES_PER_STEP),
  };
}
