// The connections of the dashboard: what it shares with other processes and the command line, and the stores of what
// only its pages show.
import { openConnections as openShared, type ConnectionsDeps } from "#composition/open-connections.ts";
import { makePeopleStores } from "#composition/people-stores.ts";
import { makeIds } from "#process/ids.ts";
import { makeActivityStore } from "#activity/store/activity-store.ts";
import { makeCountedHours } from "#activity/store/counted-hours.ts";
import { makeChallengeStore } from "#accounts/store/challenge-store.ts";
import { makeReadDeliveryStates } from "#delivery/store/read-delivery-states.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import { makeIdentityStore } from "#accounts/store/identity-store.ts";
import { makeInvitationStore } from "#accounts/store/invitation-store.ts";
import { makeAwardList } from "#ledger/store/award-list.ts";
import { makeXpHistoryStore } from "#members/store/xp-history-store.ts";
import { makePasskeyStore } from "#accounts/store/passkey-store.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background, without waiting for MongoDB or Redis. */
export function openConnections(deps: ConnectionsDeps) {
  const shared = openShared({ ...deps, name: "clanxp-dashboard" });
  const { database } = shared;
  return {
    ...shared,
    ...makePeopleStores(database, makeIds(deps.clock)),
    activity: makeActivityStore(database),
    countedHours: makeCountedHours(database),
    passkeys: makePasskeyStore(database),
    identities: makeIdentityStore(database),
    invitations: makeInvitationStore(database),
    challenges: makeChallengeStore(database),
    readDeliveryStates: makeReadDeliveryStates(database),
    erasures: makeErasureStore(database),
    awards: makeAwardList(database),
    xpHistory: makeXpHistoryStore(database),
  };
}
