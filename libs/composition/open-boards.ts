// Boards in a process: reading them, and bringing them up to date.
import { makeBoardStore } from "#boards/store/board-store.ts";
import { makeCountChanges } from "#boards/store/period-changes.ts";
import { makePeriodStore } from "#boards/store/period-store.ts";
import { makeStandingOrder, makeStandingStore } from "#boards/store/standing-store.ts";
import { makeUncountedEntries } from "#boards/store/uncounted-entries.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import type { Database } from "#mongo/database.ts";
import { makeLedgerReader } from "#ledger/store/ledger-reader.ts";
import { makeEpochStore } from "#ledger/store/epoch-store.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeProcessStore } from "#ledger/store/process-store.ts";
import { makeContinuityStore } from "#operations/store/continuity-store.ts";
import { makeCatchUpBoards, type CatchUpBoards } from "#boards/catch-up.ts";
import { makeCountAnew } from "#boards/count-anew.ts";
import { makeCountFromLedger } from "#boards/count-from-ledger.ts";
import { makeCountMembers } from "#boards/count-members.ts";
import { makeFinishPeriods } from "#boards/finish-periods.ts";
import { makeReadOpenPeriods } from "#boards/open-periods.ts";
import { makePeriodOrders } from "#boards/period-orders.ts";
import { makeReadBoards, type ReadBoards } from "#boards/read-boards.ts";
import { makeRebuildThese } from "#ledger/rebuild-members.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

/** `project`: makes every process project what it has committed in the clan. */
export function openBoards(deps: {
  database: Database;
  project: (clanId: string, options: { anew: true }) => Promise<boolean>;
  clock: Clock;
  log: Log;
}): ReadBoards & { catchUp: CatchUpBoards } {
  const { database, clock, log } = deps;
  const [boards, periods] = [makeBoardStore(database), makePeriodStore(database)];
  const [standings, reader] = [makeStandingStore(database), makeLedgerReader(database)];
  const readOpenPeriods = makeReadOpenPeriods({ boards, periods });
  const entries = makeUncountedEntries(database);
  const countAnew = makeCountAnew({ entries, standings, clock });
  const count = makeCountMembers({ readOpenPeriods, entries, standings, clock });
  const common = { readOpenPeriods, boards, periods, reader, clock, log };
  const countFromLedger = makeCountFromLedger({ ...common, countAnew });
  const [processes, epochs] = [makeProcessStore(database), makeEpochStore(database)];
  const rebuildThese = makeRebuildThese({ store: makeLedgerStore(database), epochs, clock });
  const [clans, countChanges] = [makeClanStore(database), makeCountChanges(database)];
  const finish = makeFinishPeriods({ ...common, processes, rebuildThese, standings, clans, countChanges });
  const { restoredAt } = makeContinuityStore(database);
  const catchUp = makeCatchUpBoards({
    ...deps,
    ...common,
    count,
    countFromLedger,
    finish,
    restoredAt,
  });
  const orders = makePeriodOrders({ store: makeStandingOrder(database), clock });
  return { ...makeReadBoards({ boards, periods, standings, orders, catchUp }), catchUp };
}
