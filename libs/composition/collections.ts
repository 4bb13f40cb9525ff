// All collections. Each is declared beside the stores that use it.
import { accountModel } from "#accounts/store/account-model.ts";
import { attemptModel } from "#accounts/store/attempt-model.ts";
import { challengeModel } from "#accounts/store/challenge-model.ts";
import { sessionModel } from "#accounts/store/session-model.ts";
import { ACTIVITY } from "#activity/store/activity-model.ts";
import { auditModel } from "#audit/store/audit-model.ts";
import { outboxModel } from "#audit/store/outbox-model.ts";
import { batchModel } from "#batches/store/batch-model.ts";
import { BOARDS } from "#boards/store/board-model.ts";
import { PERIODS } from "#boards/store/period-model.ts";
import { STANDINGS } from "#boards/store/standing-model.ts";
import { clanModel } from "#clans/store/clan-model.ts";
import { deliveryModel } from "#delivery/store/delivery-model.ts";
import { destinationModel } from "#delivery/store/destination-model.ts";
import { DISCORD_STOPS } from "#delivery/store/discord-stop-model.ts";
import { CALLS, NOTIFIERS } from "#delivery/store/notifier-models.ts";
import { roleSyncModel } from "#delivery/store/role-sync-model.ts";
import { DELETIONS } from "#erasure/store/deletion-model.ts";
import { ERASURES } from "#erasure/store/erasure-model.ts";
import { EVENTS } from "#events/store/event-model.ts";
import { GAINS } from "#gains/store/gain-model.ts";
import { HOOKS } from "#hooks/store/hook-model.ts";
import { REQUESTS } from "#hooks/store/request-model.ts";
import { BUDGETS } from "#keys/store/budget-model.ts";
import { keyModel } from "#keys/store/key-model.ts";
import { LEDGER } from "#ledger/store/entry-model.ts";
import { MEMBERS } from "#ledger/store/member-model.ts";
import { NAMES } from "#names/store/name-model.ts";
import { SLUGS } from "#public-pages/store/slug-model.ts";
import { REVERSALS } from "#reversals/store/reversal-model.ts";
import type { DeclaredCollection } from "#mongo/collection.ts";
import type { clanData } from "#erasure/store/clan-data.ts";

const byName = {
  clans: clanModel.declared,
  slugs: SLUGS,
  keys: keyModel.declared,
  members: MEMBERS,
  names: NAMES,
  ledger: LEDGER,
  activity: ACTIVITY,
  batches: batchModel.declared,
  audit: auditModel.declared,
  budgets: BUDGETS,
  erasures: ERASURES,
  deletions: DELETIONS,
  hooks: HOOKS,
  erasure_requests: REQUESTS,
  accounts: accountModel.declared,
  sessions: sessionModel.declared,
  sign_in_challenges: challengeModel.declared,
  sign_in_attempts: attemptModel.declared,
  reversals: REVERSALS,
  events: EVENTS,
  outbox: outboxModel.declared,
  destinations: destinationModel.declared,
  deliveries: deliveryModel.declared,
  notifiers: NOTIFIERS,
  calls: CALLS,
  discord_stops: DISCORD_STOPS,
  syncs: roleSyncModel.declared,
  boards: BOARDS,
  periods: PERIODS,
  standings: STANDINGS,
  gains: GAINS,
} as const satisfies Record<keyof typeof clanData, DeclaredCollection>;

/** A new collection does not compile without its line in clan-data.ts. */
export const collections: readonly DeclaredCollection[] = Object.values(byName);
