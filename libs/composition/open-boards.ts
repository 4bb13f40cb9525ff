// Boards in a process: reading them, and bringing them up to date.
import { makeBoardStore } from "#store/boards/board-store.ts";
import { makeCountChanges } from "#store/boards/period-changes.ts";
import { makePeriodStore } from "#store/boards/period-store.ts";
import { makeStandingOrder, makeStandingStore } from "#store/boards/standing-store.ts";
import { makeUncountedEntries } from "#store/boards/uncounted-entries.ts";
import { makeClanStore } from "#store/clans/clan-store.ts";
import type { Database } from "#store/database.ts";
import { makeLedgerReader } from "#store/ledger/ledger-reader.ts";
import { makeEpochStore } from "#store/ledger/epoch-store.ts";
import { makeLedgerStore } from "#store/ledger/ledger-store.ts";
import { makeProcessStore } from "#store/ledger/process-store.ts";
import { makeContinuityStore } from "#store/operations/continuity-store.ts";
import { makeCatchUpBoards, type CatchUpBoards } from "#usecases/boards/catch-up.ts";
import { makeCountAnew } from "#usecases/boards/count-anew.ts";
import { makeCountFromLedger } from "#usecases/boards/count-from-ledger.ts";
import { makeCountMembers } from "#usecases/boards/count-members.ts";
import { makeFinishPeriods } from "#usecases/boards/finish-periods.ts";
import { makeReadOpenPeriods } from "#usecases/boards/open-periods.ts";
import { makePeriodOrders } from "#usecases/boards/period-orders.ts";
import { makeReadBoards, type ReadBoards } from "#usecases/boards/read-boards.ts";
import { makeRebuildThese } from "#ledger/rebuild-members.ts";
import type { Clock, Log } from "#runtime/ports.ts";

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
