// The collections that have a model, as tests read and change them past the stores.
import type { Connection } from "mongoose";
import { accountModel } from "#accounts/store/account-model.ts";
import { attemptModel } from "#accounts/store/attempt-model.ts";
import { challengeModel } from "#accounts/store/challenge-model.ts";
import { sessionModel } from "#accounts/store/session-model.ts";
import { auditModel } from "#audit/store/audit-model.ts";
import { outboxModel } from "#audit/store/outbox-model.ts";
import { batchModel } from "#batches/store/batch-model.ts";
import { clanModel } from "#clans/store/clan-model.ts";
import { deliveryModel } from "#delivery/store/delivery-model.ts";
import { destinationModel } from "#delivery/store/destination-model.ts";
import { roleSyncModel } from "#delivery/store/role-sync-model.ts";
import { keyModel } from "#keys/store/key-model.ts";
import type { Database } from "#mongo/database.ts";

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
    syncs: roleSyncModel(connection),
  };
}
