// The stores that commands use, over one database. Loading this file loads MongoDB's driver.
import { makeAccountStore } from "#accounts/store/account-store.ts";
import { makeSessionStore } from "#accounts/store/session-store.ts";
import { makeForgetHours } from "#activity/store/counted-hours.ts";
import { makeAuditStore } from "#audit/store/audit-store.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeLedgerReader } from "#ledger/store/ledger-reader.ts";
import { openGains } from "#composition/open-gains.ts";
import { openBoards } from "#composition/open-boards.ts";
import { makeBoardStore } from "#boards/store/board-store.ts";
import { makePeriodStore } from "#boards/store/period-store.ts";
import { makeStandingStore } from "#boards/store/standing-store.ts";
import { makeUncountedEntries } from "#boards/store/uncounted-entries.ts";
import { makeReconcileBoards } from "#operations/reconcile-boards.ts";
import { makeBoostStore } from "#boosts/store/boost-store.ts";
import { makeBatchStore } from "#batches/store/batch-store.ts";
import { makeClanStore } from "#clans/store/clan-store.ts";
import { makeChangeClan } from "#ranks/store/change-clan.ts";
import type { Database } from "#mongo/database.ts";
import { makeCallStore } from "#delivery/store/call-store.ts";
import { makeDeliveryStore } from "#delivery/store/delivery-store.ts";
import { makeDestinationStore } from "#delivery/store/destination-store.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeClanDataStore } from "#erasure/store/clan-data-store.ts";
import { makeClanDeletionStore } from "#erasure/store/clan-deletion-store.ts";
import { makeErasureParts } from "#erasure/store/erasure-parts.ts";
import { makeEventChain } from "#events/store/event-chain.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeEventList } from "#events/store/event-list.ts";
import { makeEventRepair } from "#events/store/repair-events.ts";
import { makeHookStore } from "#hooks/store/hook-store.ts";
import { makeRequestStore } from "#hooks/store/request-store.ts";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeLeaderboardStore } from "#members/store/leaderboard-store.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { makeHiddenMembers } from "#public-pages/store/hidden-members.ts";
import { makePublicPageStore } from "#public-pages/store/public-page-store.ts";
import { inspectMongo } from "#operations/store/inspect-mongo.ts";
import { makeReconcileStore } from "#operations/store/reconcile-store.ts";
import { makeEpochStore } from "#ledger/store/epoch-store.ts";
import { makeProcessStore } from "#ledger/store/process-store.ts";
import { makeAwardSelection } from "#reversals/store/award-selection.ts";
import { makeReversalStore } from "#reversals/store/reversal-store.ts";
import { makeResetStore } from "#resets/store/reset-store.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import type { Clock } from "#kernel/clock.ts";
import { makeReadOpenPeriods } from "#boards/open-periods.ts";
import { ENTRIES_PER_STEP, REVERSALS_PER_TURN } from "#reversals/bounds.ts";

export type Stores = ReturnType<typeof makeStores>;

export function makeStores(database: Database) {
  const [boards, periods] = [makeBoardStore(database), makePeriodStore(database)];
  const readOpenPeriods = makeReadOpenPeriods({ boards, periods });
  return {
    accounts: makeAccountStore(database),
    sessions: makeSessionStore(database),
    audit: makeAuditStore(database),
    ledgerStore: makeLedgerStore(database),
    batches: makeBatchStore(database),
    boosts: makeBoostStore(database),
    boards,
    periods,
    budgets: makeBudgetStore(database),
    calls: makeCallStore(database, makeIds(systemClock)),
    clanData: makeClanDataStore(database),
    clans: { ...makeClanStore(database), change: makeChangeClan(database) },
    deletions: makeClanDeletionStore(database),
    deliveries: makeDeliveryStore(database),
    destinations: makeDestinationStore(database),
    epochs: makeEpochStore(database),
    erasure: makeErasureParts(database),
    erasureRequests: makeRequestStore(database),
    hooks: makeHookStore(database),
    eventRepair: makeEventRepair(database),
    events: { ...makeEventChain(database), ...makeEventFeed(database), ...makeEventList(database) },
    forgetHours: makeForgetHours(database),
    inspectMongo: (clock: Clock) => inspectMongo(database, clock),
    keys: makeKeyStore(database),
    ledgerReader: makeLedgerReader(database),
    leaderboard: makeLeaderboardStore(database),
    members: makeMemberStore(database),
    names: makeNameStore(database),
    hiddenMembers: makeHiddenMembers(database),
    publicPages: makePublicPageStore(database),
    openBoards: (deps: Omit<Parameters<typeof openBoards>[0], "database">) => openBoards({ ...deps, database }),
    readOpenPeriods,
    reconcileBoards: makeReconcileBoards({
      readOpenPeriods,
      reader: makeLedgerReader(database),
      entries: makeUncountedEntries(database),
      standings: makeStandingStore(database),
    }),
    processes: makeProcessStore(database),
    openGains: (deps: Omit<Parameters<typeof openGains>[0], "database">) => openGains({ ...deps, database }),
    reconcile: makeReconcileStore(database),
    reversals: makeReversalStore(database, REVERSALS_PER_TURN),
    resets: makeResetStore(database, REVERSALS_PER_TURN),
    roleSyncs: makeRoleSyncStore(database),
    selection: makeAwardSelection(database, ENTRIES_PER_STEP),
  };
}
