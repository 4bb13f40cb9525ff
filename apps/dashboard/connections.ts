// The connections that only the dashboard opens: the stores of accounts and sessions, and of data that only its pages
// show.
import { openConnections as openShared, type ConnectionsDeps } from "#composition/open-connections.ts";
import { makeAccountStore } from "#store/accounts/account-store.ts";
import { makeIds } from "#runtime/process/ids.ts";
import { makeActivityStore } from "#store/activity/activity-store.ts";
import { makeCountedHours } from "#store/activity/counted-hours.ts";
import { makeAuditStore } from "#store/audit/audit-store.ts";
import { makeBoardStore } from "#store/boards/board-store.ts";
import { makePeriodStore } from "#store/boards/period-store.ts";
import { makeBoostStore } from "#store/boosts/boost-store.ts";
import { makeChallengeStore } from "#store/accounts/challenge-store.ts";
import { makeCallStore } from "#store/destinations/call-store.ts";
import { makeReadDeliveryStates } from "#store/destinations/read-delivery-states.ts";
import { makeDeliveryStore } from "#store/destinations/delivery-store.ts";
import { makeDestinationStore } from "#store/destinations/destination-store.ts";
import { makeRoleSyncStore } from "#store/destinations/role-sync-store.ts";
import { makeErasureStore } from "#store/erasure/erasure-store.ts";
import { makeEventFeed } from "#store/events/event-feed.ts";
import { makeEventList } from "#store/events/event-list.ts";
import { makeHookStore } from "#store/hooks/hook-store.ts";
import { makeRequestStore } from "#store/hooks/request-store.ts";
import { makeBudgetStore } from "#store/keys/budget-store.ts";
import { makeIdentityStore } from "#store/accounts/identity-store.ts";
import { makeInvitationStore } from "#store/accounts/invitation-store.ts";
import { makeKeyStore } from "#store/keys/key-store.ts";
import { makeAwardList } from "#store/ledger/award-list.ts";
import { makeLeaderboardStore } from "#store/members/leaderboard-store.ts";
import { makeMemberStore } from "#store/members/member-store.ts";
import { makeXpHistoryStore } from "#store/members/xp-history-store.ts";
import { makeNameStore } from "#store/names/name-store.ts";
import { makeHiddenMembers } from "#store/public-pages/hidden-members.ts";
import { makePublicPageStore } from "#store/public-pages/public-page-store.ts";
import { makePasskeyStore } from "#store/accounts/passkey-store.ts";
import { makeSessionStore } from "#store/accounts/session-store.ts";

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
