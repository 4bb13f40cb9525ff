// What the dashboard opens besides that of every process: the stores of people, their sessions, and what only they look
// at.
import { openConnections as openShared, type ConnectionsWorld } from "#composition/open-connections.ts";
import { makeAccountStore } from "#store/account-store.ts";
import { makeActivityStore } from "#store/activity-store.ts";
import { makeAuditStore } from "#store/audit-store.ts";
import { makeChallengeStore } from "#store/challenge-store.ts";
import { makeIdentityStore } from "#store/identity-store.ts";
import { makeKeyStore } from "#store/key-store.ts";
import { makeMemberStore } from "#store/member-store.ts";
import { makePasskeyStore } from "#store/passkey-store.ts";
import { makeSessionStore } from "#store/session-store.ts";

export type Connections = ReturnType<typeof openConnections>;

/** Opens them in the background: nothing here waits for MongoDB or Redis. */
export function openConnections(world: ConnectionsWorld) {
  const shared = openShared({ ...world, name: "clanxp-dashboard" });
  const { database } = shared;
  return {
    ...shared,
    activity: makeActivityStore(database),
    accounts: makeAccountStore(database),
    passkeys: makePasskeyStore(database),
    identities: makeIdentityStore(database),
    sessions: makeSessionStore(database),
    challenges: makeChallengeStore(database),
    keys: makeKeyStore(database),
    members: makeMemberStore(database),
    audit: makeAuditStore(database),
  };
}
