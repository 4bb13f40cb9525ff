// The models of all collections. Each is defined beside the stores that use it.
import type { Connection, Model } from "mongoose";
import { makeAccountModel, type AccountDoc } from "#store/accounts/account-model.ts";
import { makeAttemptModel, type AttemptDoc } from "#store/accounts/attempt-model.ts";
import { makeChallengeModel, type ChallengeDoc } from "#store/accounts/challenge-model.ts";
import { makeSessionModel, type SessionDoc } from "#store/accounts/session-model.ts";
import { makeActivityModel, type ActivityDoc } from "#store/activity/activity-model.ts";
import { makeAuditModel, type AuditDoc } from "#store/audit/audit-model.ts";
import { makeEntryModel, type EntryDoc } from "#store/ledger/entry-model.ts";
import { makeBatchModel, type BatchDoc } from "#store/batches/batch-model.ts";
import { makeBoardModel, type BoardDoc } from "#store/boards/board-model.ts";
import { makePeriodModel, type PeriodDoc } from "#store/boards/period-model.ts";
import { makeStandingModel, type StandingDoc } from "#store/boards/standing-model.ts";
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
import { makeDeletionModel, type DeletionDoc } from "#store/erasure/deletion-model.ts";
import { makeErasureModel, type ErasureDoc } from "#store/erasure/erasure-model.ts";
import { makeGainModel, type GainDoc } from "#store/gains/gain-model.ts";
import { makeHookModel, type HookDoc } from "#store/hooks/hook-model.ts";
import { makeRequestModel, type RequestDoc } from "#store/hooks/request-model.ts";
import { makeBudgetModel, type BudgetDoc } from "#store/keys/budget-model.ts";
import { makeKeyModel, type KeyDoc } from "#store/keys/key-model.ts";
import { makeMemberModel, type MemberDoc } from "#store/ledger/member-model.ts";
import { makeEventModel, type EventDoc } from "#store/events/event-model.ts";
import { makeOutboxModel, type OutboxDoc } from "#store/events/outbox-model.ts";
import { makeNameModel, type NameDoc } from "#store/names/name-model.ts";
import { makeSlugModel, type SlugDoc } from "#store/public-pages/slug-model.ts";
import { makeReversalModel, type ReversalDoc } from "#store/reversals/reversal-model.ts";

export type Models = {
  clans: Model<ClanDoc>;
  slugs: Model<SlugDoc>;
  keys: Model<KeyDoc>;
  members: Model<MemberDoc>;
  names: Model<NameDoc>;
  ledger: Model<EntryDoc>;
  activity: Model<ActivityDoc>;
  batches: Model<BatchDoc>;
  audit: Model<AuditDoc>;
  budgets: Model<BudgetDoc>;
  erasures: Model<ErasureDoc>;
  deletions: Model<DeletionDoc>;
  hooks: Model<HookDoc>;
  erasureRequests: Model<RequestDoc>;
  accounts: Model<AccountDoc>;
  sessions: Model<SessionDoc>;
  challenges: Model<ChallengeDoc>;
  attempts: Model<AttemptDoc>;
  reversals: Model<ReversalDoc>;
  events: Model<EventDoc>;
  outbox: Model<OutboxDoc>;
  destinations: Model<DestinationDoc>;
  deliveries: Model<DeliveryDoc>;
  notifiers: Model<NotifierDoc>;
  calls: Model<CallDoc>;
  discordStops: Model<DiscordStopDoc>;
  syncs: Model<RoleSyncDoc>;
  boards: Model<BoardDoc>;
  periods: Model<PeriodDoc>;
  standings: Model<StandingDoc>;
  gains: Model<GainDoc>;
};

/** The models of one connection; creating them reads and writes nothing. */
export function makeModels(connection: Connection): Models {
  return {
    clans: makeClanModel(connection),
    slugs: makeSlugModel(connection),
    keys: makeKeyModel(connection),
    members: makeMemberModel(connection),
    names: makeNameModel(connection),
    ledger: makeEntryModel(connection),
    activity: makeActivityModel(connection),
    batches: makeBatchModel(connection),
    audit: makeAuditModel(connection),
    budgets: makeBudgetModel(connection),
    erasures: makeErasureModel(connection),
    deletions: makeDeletionModel(connection),
    hooks: makeHookModel(connection),
    erasureRequests: makeRequestModel(connection),
    accounts: makeAccountModel(connection),
    sessions: makeSessionModel(connection),
    challenges: makeChallengeModel(connection),
    attempts: makeAttemptModel(connection),
    reversals: makeReversalModel(connection),
    events: makeEventModel(connection),
    outbox: makeOutboxModel(connection),
    destinations: makeDestinationModel(connection),
    deliveries: makeDeliveryModel(connection),
    notifiers: makeNotifierModel(connection),
    calls: makeCallModel(connection),
    discordStops: makeDiscordStopModel(connection),
    syncs: makeRoleSyncModel(connection),
    boards: makeBoardModel(connection),
    periods: makePeriodModel(connection),
    standings: makeStandingModel(connection),
    gains: makeGainModel(connection),
  };
}
