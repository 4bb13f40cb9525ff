// The collections as tests read and change them past the stores.
import type { AccountDoc } from "#accounts/store/account-model.ts";
import type { AttemptDoc } from "#accounts/store/attempt-model.ts";
import type { ChallengeDoc } from "#accounts/store/challenge-model.ts";
import type { SessionDoc } from "#accounts/store/session-model.ts";
import type { AuditDoc } from "#audit/store/audit-model.ts";
import type { OutboxDoc } from "#audit/store/outbox-model.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import type { ClanDoc } from "#clans/store/clan-model.ts";
import type { DeliveryDoc } from "#delivery/store/delivery-model.ts";
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import type { RoleSyncDoc } from "#delivery/store/role-sync-model.ts";
import type { KeyDoc } from "#keys/store/key-model.ts";
import type { Database } from "#mongo/database.ts";

export type DatabaseOfTest = Database & { stored: ReturnType<typeof storedIn> };

export function withStored(database: Database): DatabaseOfTest {
  return {
    ...database,
    /** Once it is ready. */
    get stored() {
      return storedIn(database);
    },
  };
}

export function storedIn({ db }: Pick<Database, "db">) {
  return {
    clans: db().collection<ClanDoc>("clans"),
    keys: db().collection<KeyDoc>("keys"),
    batches: db().collection<BatchDoc>("batches"),
    audit: db().collection<AuditDoc>("audit"),
    accounts: db().collection<AccountDoc>("accounts"),
    sessions: db().collection<SessionDoc>("sessions"),
    sign_in_challenges: db().collection<ChallengeDoc>("sign_in_challenges"),
    sign_in_attempts: db().collection<AttemptDoc>("sign_in_attempts"),
    outbox: db().collection<OutboxDoc>("outbox"),
    destinations: db().collection<DestinationDoc>("destinations"),
    deliveries: db().collection<DeliveryDoc>("deliveries"),
    syncs: db().collection<RoleSyncDoc>("syncs"),
  };
}
