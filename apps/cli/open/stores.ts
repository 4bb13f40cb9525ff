// The stores that commands use, over one database. Loading this file loads MongoDB's driver.
import { makeForgetHours } from "#activity/store/counted-hours.ts";
import { makeClanStores } from "#composition/clan-stores.ts";
import { makePeopleStores } from "#composition/people-stores.ts";
import { openGains } from "#composition/open-gains.ts";
import { openBoards } from "#composition/open-boards.ts";
import { makeStandingStore } from "#boards/store/standing-store.ts";
import { makeUncountedEntries } from "#boards/store/uncounted-entries.ts";
import { makeReconcileBoards } from "#operations/reconcile-boards.ts";
import type { Database } from "#mongo/database.ts";
import { makeClanDataStore } from "#erasure/store/clan-data-store.ts";
import { makeClanDeletionStore } from "#erasure/store/clan-deletion-store.ts";
import { makeErasureParts } from "#erasure/store/erasure-parts.ts";
import { makeEventChain } from "#events/store/event-chain.ts";
import { makeEventRepair } from "#events/store/repair-events.ts";
import { inspectMongo } from "#operations/store/inspect-mongo.ts";
import { makeReconcileStore } from "#operations/store/reconcile-store.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import type { Clock } from "#kernel/clock.ts";
import { makeReadOpenPeriods } from "#boards/open-periods.ts";

export type Stores = ReturnType<typeof makeStores>;

export function makeStores(database: Database) {
  const people = makePeopleStores(database, makeIds(systemClock));
  const clan = makeClanStores(database);
  const readOpenPeriods = makeReadOpenPeriods(people);
  return {
    ...clan,
    ...people,
    clanData: makeClanDataStore(database),
    deletions: makeClanDeletionStore(database),
    erasure: makeErasureParts(database),
    eventRepair: makeEventRepair(database),
    events: { ...makeEventChain(database), ...people.events },
    forgetHours: makeForgetHours(database),
    inspectMongo: (clock: Clock) => inspectMongo(database, clock),
    openBoards: (deps: Omit<Parameters<typeof openBoards>[0], "database">) => openBoards({ ...deps, database }),
    readOpenPeriods,
    reconcileBoards: makeReconcileBoards({
      readOpenPeriods,
      reader: clan.ledgerReader,
      entries: makeUncountedEntries(database),
      standings: makeStandingStore(database),
    }),
    openGains: (deps: Omit<Parameters<typeof openGains>[0], "database">) => openGains({ ...deps, database }),
    reconcile: makeReconcileStore(database),
  };
}
