// All collections. Each is declared beside the stores that use it.
import { ACCOUNTS } from "#accounts/store/account-model.ts";
import { ATTEMPTS } from "#accounts/store/attempt-model.ts";
import { CHALLENGES } from "#accounts/store/challenge-model.ts";
import { SESSIONS } from "#accounts/store/session-model.ts";
import { ACTIVITY } from "#activity/store/activity-model.ts";
import { AUDIT } from "#audit/store/audit-model.ts";
import { OUTBOX } from "#audit/store/outbox-model.ts";
import { BATCHES } from "#batches/store/batch-model.ts";
import { BOARDS } from "#boards/store/board-model.ts";
import { PERIODS } from "#boards/store/period-model.ts";
import { STANDINGS } from "#boards/store/standing-model.ts";
import { CLANS } from "#clans/store/clan-model.ts";
import { DELIVERIES } from "#delivery/store/delivery-model.ts";
import { DESTINATIONS } from "#delivery/store/destination-model.ts";
import { DISCORD_STOPS } from "#delivery/store/discord-stop-model.ts";
import { CALLS, NOTIFIERS } from "#delivery/store/notifier-models.ts";
import { SYNCS } from "#delivery/store/role-sync-model.ts";
import { DELETIONS } from "#erasure/store/deletion-model.ts";
import { ERASURES } from "#erasure/store/erasure-model.ts";
import { EVENTS } from "#events/store/event-model.ts";
import { GAINS } from "#gains/store/gain-model.ts";
import { HOOKS } from "#hooks/store/hook-model.ts";
import { REQUESTS } from "#hooks/store/request-model.ts";
import { BUDGETS } from "#keys/store/budget-model.ts";
import { KEYS } from "#keys/store/key-model.ts";
import { LEDGER } from "#ledger/store/entry-model.ts";
import { MEMBERS } from "#ledger/store/member-model.ts";
import { NAMES } from "#names/store/name-model.ts";
import { SLUGS } from "#public-pages/store/slug-model.ts";
import { REVERSALS } from "#reversals/store/reversal-model.ts";
import type { DeclaredCollection } from "#mongo/collection.ts";
import type { clanData } from "#erasure/store/clan-data.ts";

const byName = {
  clans: CLANS,
  slugs: SLUGS,
  keys: KEYS,
  members: MEMBERS,
  names: NAMES,
  ledger: LEDGER,
  activity: ACTIVITY,
  batches: BATCHES,
  audit: AUDIT,
  budgets: BUDGETS,
  erasures: ERASURES,
  deletions: DELETIONS,
  hooks: HOOKS,
  erasure_requests: REQUESTS,
  accounts: ACCOUNTS,
  sessions: SESSIONS,
  sign_in_challenges: CHALLENGES,
  sign_in_attempts: ATTEMPTS,
  reversals: REVERSALS,
  events: EVENTS,
  outbox: OUTBOX,
  destinations: DESTINATIONS,
  deliveries: DELIVERIES,
  notifiers: NOTIFIERS,
  calls: CALLS,
  discord_stops: DISCORD_STOPS,
  syncs: SYNCS,
  boards: BOARDS,
  periods: PERIODS,
  standings: STANDINGS,
  gains: GAINS,
} as const satisfies Record<keyof typeof clanData, DeclaredCollection>;

/** A new collection does not compile without its line in clan-data.ts. */
export const collections: readonly DeclaredCollection[] = Object.values(byName);
