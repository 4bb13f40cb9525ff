// All collections, each declared beside the stores that use it. Some stores query theirs by a model of mongoose.
import type { Connection, Model } from "mongoose";
import type { DeclaredCollection, DeclaredIndex } from "#store/collection.ts";
import { makeAccountModel, type AccountDoc } from "#store/accounts/account-model.ts";
import { makeAttemptModel, type AttemptDoc } from "#store/accounts/attempt-model.ts";
import { makeChallengeModel, type ChallengeDoc } from "#store/accounts/challenge-model.ts";
import { makeSessionModel, type SessionDoc } from "#store/accounts/session-model.ts";
import { ACTIVITY } from "#store/activity/activity-model.ts";
import { makeAuditModel, type AuditDoc } from "#store/audit/audit-model.ts";
import { LEDGER } from "#store/ledger/entry-model.ts";
import { makeBatchModel, type BatchDoc } from "#store/batches/batch-model.ts";
import { BOARDS } from "#store/boards/board-model.ts";
import { PERIODS } from "#store/boards/period-model.ts";
import { STANDINGS } from "#store/boards/standing-model.ts";
import { makeClanModel, type ClanDoc } from "#store/clans/clan-model.ts";
import { makeDeliveryModel, type DeliveryDoc } from "#store/destinations/delivery-model.ts";
import { makeDiscordStopModel, type DiscordStopDoc } from "#store/destinations/discord-stop-model.ts";
import { makeDestinationModel, type DestinationDoc } from "#store/destinations/destination-model.ts";
import {
  makeCallModel,
  makeNotifierModel,
  type CallDoc,
  type NotifierDoc,
} from "#store/destinations/notifier-models.ts";
import { makeRoleSyncModel, type RoleSyncDoc } from "#store/destinations/role-sync-model.ts";
import { DELETIONS } from "#store/erasure/deletion-model.ts";
import { ERASURES } from "#store/erasure/erasure-model.ts";
import { GAINS } from "#store/gains/gain-model.ts";
import { HOOKS } from "#store/hooks/hook-model.ts";
import { REQUESTS } from "#store/hooks/request-model.ts";
import { BUDGETS } from "#store/keys/budget-model.ts";
import { makeKeyModel, type KeyDoc } from "#store/keys/key-model.ts";
import { MEMBERS } from "#store/ledger/member-model.ts";
import { EVENTS } from "#store/events/event-model.ts";
import { makeOutboxModel, type OutboxDoc } from "#store/events/outbox-model.ts";
import { NAMES } from "#store/names/name-model.ts";
import { SLUGS } from "#store/public-pages/slug-model.ts";
import { REVERSALS } from "#store/reversals/reversal-model.ts";

export type Models = {
  clans: Model<ClanDoc>;
  keys: Model<KeyDoc>;
  batches: Model<BatchDoc>;
  audit: Model<AuditDoc>;
  accounts: Model<AccountDoc>;
  sessions: Model<SessionDoc>;
  challenges: Model<ChallengeDoc>;
  attempts: Model<AttemptDoc>;
  outbox: Model<OutboxDoc>;
  destinations: Model<DestinationDoc>;
  deliveries: Model<DeliveryDoc>;
  notifiers: Model<NotifierDoc>;
  calls: Model<CallDoc>;
  discordStops: Model<DiscordStopDoc>;
  syncs: Model<RoleSyncDoc>;
};

const WITHOUT_MODEL = {
  slugs: SLUGS,
  members: MEMBERS,
  names: NAMES,
  ledger: LEDGER,
  activity: ACTIVITY,
  budgets: BUDGETS,
  erasures: ERASURES,
  deletions: DELETIONS,
  hooks: HOOKS,
  erasureRequests: REQUESTS,
  reversals: REVERSALS,
  events: EVENTS,
  boards: BOARDS,
  periods: PERIODS,
  standings: STANDINGS,
  gains: GAINS,
} as const satisfies Record<string, DeclaredCollection>;

export type CollectionId = keyof typeof WITHOUT_MODEL | keyof Models;
export type Collections = Readonly<Record<CollectionId, DeclaredCollection>>;

export function collectionsOf(models: Models): Collections {
  const declared = Object.entries(models).map(([id, model]) => [id, collectionOf(model)]);
  return { ...(Object.fromEntries(declared) as Record<keyof Models, DeclaredCollection>), ...WITHOUT_MODEL };
}

function collectionOf({ collection, schema }: Models[keyof Models]): DeclaredCollection {
  // Mongoose types the keys of an index more widely than the driver does.
  const declared = schema
    .indexes()
    .map(([key, options]) => ({ name: Object.entries(key).flat().join("_"), ...options, key }) as DeclaredIndex);
  return { name: collection.collectionName, indexes: declared };
}

/** The models of one connection; creating them reads and writes nothing. */
export function makeModels(connection: Connection): Models {
  return {
    clans: makeClanModel(connection),
    keys: makeKeyModel(connection),
    batches: makeBatchModel(connection),
    audit: makeAuditModel(connection),
    accounts: makeAccountModel(connection),
    sessions: makeSessionModel(connection),
    challenges: makeChallengeModel(connection),
    attempts: makeAttemptModel(connection),
    outbox: makeOutboxModel(connection),
    destinations: makeDestinationModel(connection),
    deliveries: makeDeliveryModel(connection),
    notifiers: makeNotifierModel(connection),
    calls: makeCallModel(connection),
    discordStops: makeDiscordStopModel(connection),
    syncs: makeRoleSyncModel(connection),
  };
}
