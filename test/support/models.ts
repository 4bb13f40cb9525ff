// The collections that have a model, as tests read and change them past the stores.
import type { Connection } from "mongoose";
import { accountModel } from "#store/accounts/account-model.ts";
import { attemptModel } from "#store/accounts/attempt-model.ts";
import { challengeModel } from "#store/accounts/challenge-model.ts";
import { sessionModel } from "#store/accounts/session-model.ts";
import { auditModel } from "#store/audit/audit-model.ts";
import { outboxModel } from "#store/audit/outbox-model.ts";
import { batchModel } from "#store/batches/batch-model.ts";
import { clanModel } from "#store/clans/clan-model.ts";
import { deliveryModel } from "#store/destinations/delivery-model.ts";
import { destinationModel } from "#store/destinations/destination-model.ts";
import { discordStopModel } from "#store/destinations/discord-stop-model.ts";
import { callModel, notifierModel } from "#store/destinations/notifier-models.ts";
import { roleSyncModel } from "#store/destinations/role-sync-model.ts";
import { keyModel } from "#store/keys/key-model.ts";
import type { Database } from "#store/database.ts";

export type DatabaseOfTest = Database & { models: ReturnType<typeof modelsOn> };

export function withModels(database: Database): DatabaseOfTest {
  return { ...database, models: modelsOn(database.connection) };
}

export function modelsOn(connection: Connection) {
  return {
    clans: clanModel(connection),
    keys: keyModel(connection),
    batches: batchModel(connection),
    audit: auditModel(connection),
    accounts: accountModel(connection),
    sessions: sessionModel(connection),
    sign_in_challenges: challengeModel(connection),
    sign_in_attempts: attemptModel(connection),
    outbox: outboxModel(connection),
    destinations: destinationModel(connection),
    deliveries: deliveryModel(connection),
    notifiers: notifierModel(connection),
    calls: callModel(connection),
    discord_stops: discordStopModel(connection),
    syncs: roleSyncModel(connection),
  };
}
