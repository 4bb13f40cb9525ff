// All collections. Each is declared beside the stores that use it.
import { accountModel } from "#store/accounts/account-model.ts";
import { attemptModel } from "#store/accounts/attempt-model.ts";
import { challengeModel } from "#store/accounts/challenge-model.ts";
import { sessionModel } from "#store/accounts/session-model.ts";
import { ACTIVITY } from "#store/activity/activity-model.ts";
import { auditModel } from "#store/audit/audit-model.ts";
import { outboxModel } from "#store/audit/outbox-model.ts";
import { batchModel } from "#store/batches/batch-model.ts";
import { BOARDS } from "#store/boards/board-model.ts";
import { PERIODS } from "#store/boards/period-model.ts";
import { STANDINGS } from "#store/boards/standing-model.ts";
import { clanModel } from "#store/clans/clan-model.ts";
import { deliveryModel } from "#store/destinations/delivery-model.ts";
import { destinationModel } from "#store/destinations/destination-model.ts";
import { discordStopModel } from "#store/destinations/discord-stop-model.ts";
import { callModel, notifierModel } from "#store/destinations/notifier-models.ts";
import { roleSyncModel } from "#store/destinations/role-sync-model.ts";
import { DELETIONS } from "#store/erasure/deletion-model.ts";
import { ERASURES } from "#store/erasure/erasure-model.ts";
import { EVENTS } from "#store/events/event-model.ts";
import { GAINS } from "#store/gains/gain-model.ts";
import { HOOKS } from "#store/hooks/hook-model.ts";
import { REQUESTS } from "#store/hooks/request-model.ts";
import { BUDGETS } from "#store/keys/budget-model.ts";
import { keyModel } from "#store/keys/key-model.ts";
import { LEDGER } from "#store/ledger/entry-model.ts";
import { MEMBERS } from "#store/ledger/member-model.ts";
import { NAMES } from "#store/names/name-model.ts";
import { SLUGS } from "#store/public-pages/slug-model.ts";
import { REVERSALS } from "#store/reversals/reversal-model.ts";
import type { DeclaredCollection } from "#store/collection.ts";
import type { clanData } from "#store/erasure/clan-data.ts";

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
  notifiers: notifierModel.declared,
  calls: callModel.declared,
  discord_stops: discordStopModel.declared,
  syncs: roleSyncModel.declared,
  boards: BOARDS,
  periods: PERIODS,
  standings: STANDINGS,
  gains: GAINS,
} as const satisfies Record<keyof typeof clanData, DeclaredCollection>;

/** A new collection does not compile without its line in clan-data.ts. */
export const collections: readonly DeclaredCollection[] = Object.values(byName);
