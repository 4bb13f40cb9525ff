// Makes a change and its audit record in one transaction: there is neither without the other.
import mongoose, { type ClientSession } from "mongoose";
import { changeUnknown, orUnavailable } from "#store/mongo-calls.ts";
import { isWriteConflict } from "#store/mongo-errors.ts";
import type { Database } from "#store/database.ts";
import { AppError } from "#domain/app-error.ts";
import type { Actor, AuditAction } from "#domain/audit.ts";

/** What a change did. `before` and `after` hold what an operator may see, never a secret; null: there was, or is, nothing. */
export type Change = { action: AuditAction; clanId: string | null; target: string; before: object | null; after: object | null };

export type Audited = <T>(by: Actor, change: (session: ClientSession, note: (change: Change) => Promise<void>) => Promise<T>) => Promise<T>;

/** Throws AppError `unavailable` where nothing was changed, `outcome_unknown` where nobody knows; a duplicate key as it is. */
export function makeAudited({ models, connection }: Pick<Database, "models" | "connection">): Audited {
  return (by, change) =>
    orUnavailable(async () => {
      let isCommitting = false;
      // The driver's own transaction: mongoose's resets documents after a failure, and fails on those without a version field.
      const session = await connection.startSession();
      try {
        return await session.withTransaction(async () => {
          isCommitting = false;
          const note = async (noted: Change): Promise<void> => {
            const differing = differenceOf(noted.before, noted.after);
            // What was so already is no change.
            if (!differing) return;
            const { action, clanId, target } = noted;
            await models.audit.create([{ at: new Date(), ...by, action, clanId, target, ...differing }], { session });
          };
          const result = await unlessLost(() => change(session, note));
          isCommitting = true;
          return result;
        });
      } catch (error) {
        // The driver tries a commit several times, and tells of the last.
        throw isCommitting ? changeUnknown(error) : error;
      } finally {
        await session.endSession().catch(() => {});
      }
    });
}

/** The driver begins anew for two minutes after a failure of any kind: only another change of the same documents is worth that. */
async function unlessLost<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoError) || isWriteConflict(error)) throw error;
    if (!error.hasErrorLabel("TransientTransactionError")) throw error;
    throw new AppError("unavailable", "The database cannot be reached. Nothing was changed: try again shortly.", { cause: error });
  }
}

type Facts = Record<string, unknown>;

/** The fields that differ; null where none does. */
function differenceOf(before: object | null, after: object | null): { before: Facts | null; after: Facts | null } | null {
  const [earlier, later] = [before && plain(before), after && plain(after)];
  if (!earlier || !later) return { before: earlier, after: later };
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(later)])];
  const differing = names.filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(later[name]));
  if (differing.length === 0) return null;
  const pick = (facts: Facts): Facts => Object.fromEntries(differing.map((name) => [name, facts[name] ?? null]));
  return { before: pick(earlier), after: pick(later) };
}

/** As JSON has it: XP values are decimal strings, times ISO 8601. */
function plain(facts: object): Facts {
  return JSON.parse(JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value))) as Facts;
}
