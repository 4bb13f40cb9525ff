// Makes a change and writes its audit record, and its event, in one transaction: none exists without the others.
import type { AuditDoc } from "#audit/store/audit-model.ts";
import type { OutboxDoc } from "#audit/store/outbox-model.ts";
import { type ClientSession, MongoError } from "mongodb";
import { AppError } from "#kernel/app-error.ts";
import type { Actor } from "#domain/audit.ts";
import { recordOf } from "#audit/store/audit-record.ts";
import type { Database } from "#mongo/database.ts";
import { changeUnknown, orUnavailable } from "#mongo/mongo-calls.ts";
import { isWriteConflict } from "#mongo/mongo-errors.ts";
import type { Change } from "#audit/ports.ts";

export type Audited = <T>(
  by: Actor,
  change: (session: ClientSession, note: (change: Change) => Promise<void>) => Promise<T>,
) => Promise<T>;

/**
 * Throws AppError `unavailable` if nothing was changed, `outcome_unknown` if that is not known; a duplicate key error
 * is passed on.
 */
export function makeAudited({ db }: Pick<Database, "db">): Audited {
  return (by, change) =>
    orUnavailable(async () => {
      let isCommitting = false;
      const session = db().client.startSession();
      const note = async (noted: Change): Promise<void> => {
        const record = recordOf(by, noted);
        if (!record) return;
        await db().collection<AuditDoc>("audit").insertOne(record, { session });
        const { clanId, event } = noted;
        if (clanId !== null && event)
          await db().collection<OutboxDoc>("outbox").insertOne({ clanId, at: record.at, event }, { session });
      };
      try {
        return await session.withTransaction(async () => {
          isCommitting = false;
          const result = await unlessLost(() => change(session, note));
          isCommitting = true;
          return result;
        });
      } catch (error) {
        // The driver tries a commit several times, and reports the last result.
        throw isCommitting ? changeUnknown(error) : error;
      } finally {
        await session.endSession().catch(() => {});
      }
    });
}

/**
 * The driver would retry for two minutes after a failure of any kind. Only a conflicting change of the same documents
 * justifies that.
 */
async function unlessLost<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof MongoError) || isWriteConflict(error)) throw error;
    if (!error.hasErrorLabel("TransientTransactionError")) throw error;
    throw new AppError("unavailable", "The database cannot be reached. Nothing was changed: try again shortly.", {
      cause: error,
    });
  }
}
