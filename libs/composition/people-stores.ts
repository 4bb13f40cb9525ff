// The stores of what people manage and look at, which the dashboard and the command line share.
import { makeAccountStore } from "#accounts/store/account-store.ts";
import { makeSessionStore } from "#accounts/store/session-store.ts";
import { makeAuditStore } from "#audit/store/audit-store.ts";
import { makeBoardStore } from "#boards/store/board-store.ts";
import { makePeriodStore } from "#boards/store/period-store.ts";
import { makeBoostStore } from "#boosts/store/boost-store.ts";
import { makeCallStore } from "#delivery/store/call-store.ts";
import { makeDeliveryStore } from "#delivery/store/delivery-store.ts";
import { makeDestinationStore } from "#delivery/store/destination-store.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeEventList } from "#events/store/event-list.ts";
import { makeHookStore } from "#hooks/store/hook-store.ts";
import { makeRequestStore } from "#hooks/store/request-store.ts";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeLeaderboardStore } from "#members/store/leaderboard-store.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { makeHiddenMembers } from "#public-pages/store/hidden-members.ts";
import { makePublicPageStore } from "#public-pages/store/public-page-store.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Database } from "#mongo/database.ts";

export function makePeopleStores(database: Database, ids: Ids) {
  return {
    accounts: makeAccountStore(database),
    sessions: makeSessionStore(database),
    audit: makeAuditStore(database),
    boards: makeBoardStore(database),
    periods: makePeriodStore(database),
    boosts: makeBoostStore(database),
    calls: makeCallStore(database, ids),
    deliveries: makeDeliveryStore(database),
    destinations: makeDestinationStore(database),
    roleSyncs: makeRoleSyncStore(database),
    events: { ...makeEventFeed(database), ...makeEventList(database) },
    erasureHooks: makeHookStore(database),
    erasureRequests: makeRequestStore(database),
    budgets: makeBudgetStore(database),
    keys: makeKeyStore(database),
    leaderboard: makeLeaderboardStore(database),
    members: makeMemberStore(database),
    names: makeNameStore(database),
    hiddenMembers: makeHiddenMembers(database),
    publicPages: makePublicPageStore(database),
  };
}
