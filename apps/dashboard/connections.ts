// The connections that only the dashboard opens: the stores of accounts and sessions, and of data that only its pages
// show.
import { openConnections as openShared, type ConnectionsDeps } from "#composition/open-connections.ts";
import { makeAccountStore } from "#accounts/store/account-store.ts";
import { makeIds } from "#process/ids.ts";
import { makeActivityStore } from "#activity/store/activity-store.ts";
import { makeCountedHours } from "#activity/store/counted-hours.ts";
import { makeAuditStore } from "#audit/store/audit-store.ts";
import { makeBoardStore } from "#boards/store/board-store.ts";
import { makePeriodStore } from "#boards/store/period-store.ts";
import { makeBoostStore } from "#boosts/store/boost-store.ts";
import { makeChallengeStore } from "#accounts/store/challenge-store.ts";
import { makeCallStore } from "#delivery/store/call-store.ts";
import { makeReadDeliveryStates } from "#delivery/store/read-delivery-states.ts";
import { makeDeliveryStore } from "#delivery/store/delivery-store.ts";
import { makeDestinationStore } from "#delivery/store/destination-store.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import { makeEventFeed } from "#events/store/event-feed.ts";
import { makeEventList } from "#events/store/event-list.ts";
import { makeHookStore } from "#hooks/store/hook-store.ts";
import { makeRequestStore } from "#hooks/store/request-store.ts";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { makeIdentityStore } from "#accounts/store/identity-store.ts";
import { makeInvitationStore } from "#accounts/store/invitation-store.ts";
import { makeKeyStore } from "#keys/store/key-store.ts";
import { makeAwardList } from "#ledger/store/award-list.ts";
import { makeLeaderboardStore } from "#members/store/leaderboard-store.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import { makeXpHistoryStore } from "#members/store/xp-history-store.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { makeHiddenMembers } from "#public-pages/store/hidden-members.ts";
import { makePublicPageStore } from "#public-pages/store/public-page-store.ts";
import { makePasskeyStore } from "#accounts/store/passkey-store.ts";
import { makeSessionStore } from "#accounts/store/session-store.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background, without waiting for MongoDB or Redis. */
export function openConnections(deps: ConnectionsDeps) {
  const shared = openShared({ ...deps, name: "clanxp-dashboard" });
  const { database } = shared;
  return {
    ...shared,
    activity: makeActivityStore(database),
    countedHours: makeCountedHours(database),
    accounts: makeAccountStore(database),
    passkeys: makePasskeyStore(database),
    identities: makeIdentityStore(database),
    invitations: makeInvitationStore(database),
    sessions: makeSessionStore(database),
    challenges: makeChallengeStore(database),
    keys: makeKeyStore(database),
    boards: makeBoardStore(database),
    periods: makePeriodStore(database),
    boosts: makeBoostStore(database),
    budgets: makeBudgetStore(database),
    destinations: makeDestinationStore(database),
    deliveries: makeDeliveryStore(database),
    readDeliveryStates: makeReadDeliveryStates(database),
    calls: makeCallStore(database, makeIds(deps.clock)),
    roleSyncs: makeRoleSyncStore(database),
    erasures: makeErasureStore(database),
    erasureHooks: makeHookStore(database),
    erasureRequests: makeRequestStore(database),
    events: { ...makeEventFeed(database), ...makeEventList(database) },
    awards: makeAwardList(database),
    leaderboard: makeLeaderboardStore(database),
    members: makeMemberStore(database),
    xpHistory: makeXpHistoryStore(database),
    names: makeNameStore(database),
    audit: makeAuditStore(database),
    publicPages: makePublicPageStore(database),
    hiddenMembers: makeHiddenMembers(database),
  };
}
