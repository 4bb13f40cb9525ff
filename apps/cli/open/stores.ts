// The stores that commands use, over one database. Loading this file loads MongoDB's driver.
import { makeAccountStore } from "#store/accounts/account-store.ts";
import { makeSessionStore } from "#store/accounts/session-store.ts";
import { makeForgetHours } from "#store/activity/counted-hours.ts";
import { makeAuditStore } from "#store/audit/audit-store.ts";
import { makeLedgerStore } from "#store/ledger/ledger-store.ts";
import { makeLedgerReader } from "#store/ledger/ledger-reader.ts";
import { openGains } from "#composition/open-gains.ts";
import { openBoards } from "#composition/open-boards.ts";
import { makeBoardStore } from "#store/boards/board-store.ts";
import { makePeriodStore } from "#store/boards/period-store.ts";
import { makeStandingStore } from "#store/boards/standing-store.ts";
import { makeUncountedEntries } from "#store/boards/uncounted-entries.ts";
import { makeReconcileBoards } from "#usecases/operations/reconcile-boards.ts";
import { makeBoostStore } from "#store/boosts/boost-store.ts";
import { makeBatchStore } from "#store/batches/batch-store.ts";
import { makeClanStore } from "#store/clans/clan-store.ts";
import { makeChangeClan } from "#store/ranks/change-clan.ts";
import type { Database } from "#store/database.ts";
import { makeCallStore } from "#store/destinations/call-store.ts";
import { makeDeliveryStore } from "#store/destinations/delivery-store.ts";
import { makeDestinationStore } from "#store/destinations/destination-store.ts";
import { makeRoleSyncStore } from "#store/destinations/role-sync-store.ts";
import { makeClanDataStore } from "#store/erasure/clan-data-store.ts";
import { makeClanDeletionStore } from "#store/erasure/clan-deletion-store.ts";
import { makeErasureParts } from "#store/erasure/erasure-parts.ts";
import { makeEventChain } from "#store/events/event-chain.ts";
import { makeEventFeed } from "#store/events/event-feed.ts";
import { makeEventList } from "#store/events/event-list.ts";
import { makeEventRepair } from "#store/events/repair-events.ts";
import { makeHookStore } from "#store/hooks/hook-store.ts";
import { makeRequestStore } from "#store/hooks/request-store.ts";
import { makeBudgetStore } from "#store/keys/budget-store.ts";
import { makeKeyStore } from "#store/keys/key-store.ts";
import { makeLeaderboardStore } from "#store/members/leaderboard-store.ts";
import { makeMemberStore } from "#store/members/member-store.ts";
import { makeNameStore } from "#store/names/name-store.ts";
import { makeHiddenMembers } from "#store/public-pages/hidden-members.ts";
import { makePublicPageStore } from "#store/public-pages/public-page-store.ts";
import { inspectMongo } from "#store/operations/inspect-mongo.ts";
import { makeReconcileStore } from "#store/operations/reconcile-store.ts";
import { makeEpochStore } from "#store/ledger/epoch-store.ts";
import { makeProcessStore } from "#store/ledger/process-store.ts";
import { makeAwardSelection } from "#store/reversals/award-selection.ts";
import { makeReversalStore } from "#store/reversals/reversal-store.ts";
import { makeResetStore } from "#store/resets/reset-store.ts";
import { systemClock } from "#runtime/process/clock.ts";
import { makeIds } from "#runtime/process/ids.ts";
import type { Clock } from "#runtime/ports.ts";
import { makeReadOpenPeriods } from "#usecases/boards/open-periods.ts";
import { ENTRIES_PER_STEP, REVERSALS_PER_TURN } from "#usecases/reversals/bounds.ts";

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
