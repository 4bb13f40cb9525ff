// Removes a member from reversals. Records of reversals that select only that member are deleted: a running one ends
// with its record, and its effects are in the member's entries. A done one that a person requested keeps its counts,
// which the audit log shows. Reversals of several members lose a reason that names the member, in their records and
// in the entries that they wrote for the others.
//
// A reset is about all members. If its position is this one, it begins anew: it counts what it has already taken.
import type { Database } from "#store/database.ts";
import { makeEraseReasons } from "#store/erasure/erase-reasons.ts";
import { read } from "#store/mongo-calls.ts";
import { namingText, ofClan } from "#store/filters.ts";
import { FIRST_MEMBER } from "#domain/reversal.ts";
import type { ReversalDoc } from "#store/reversals/reversal-model.ts";
import { makeWhileOpen } from "#store/erasure/while-open.ts";
import type { Redaction } from "#usecases/erasure/ports.ts";

/** A run in progress must not write what it has read: `erased` is set until it has read its record again. */
const WITHOUT_REASON = [{ $set: { reason: null, erased: { $cond: [{ $eq: ["$state", "done"] }, "$$REMOVE", true] } } }];

const FROM_THE_FIRST = { $set: { position: FIRST_MEMBER, selected: 0, reversed: 0, skipped: 0, amount: "0" } } as const;

const COUNTS_ONLY = { $set: { reason: null }, $unset: { by: "", selection: "" } } as const;

export function makeRedactReversals({ connection, db }: Pick<Database, "connection" | "db">): Redaction {
  const whileOpen = makeWhileOpen({ connection, db });
  const eraseReasons = makeEraseReasons({ connection, db });
  const reversals = () => db().collection<ReversalDoc>("reversals");

  return {
    async redact(erasure) {
      const { erasureId, platformId } = erasure;
      const ofMember = { ...ofClan(erasure), "selection.platformId": platformId };
      const naming = { ...ofClan(erasure), reason: namingText(platformId) };
      const changed = await whileOpen(erasureId, "reversals", async (session) => {
        const shown = { ...ofMember, state: "done" as const, actor: { $exists: true } };
        const reduced = await reversals().updateMany(shown, COUNTS_ONLY, { session });
        const { deletedCount } = await reversals().deleteMany(ofMember, { session });
        const { modifiedCount } = await reversals().updateMany(naming, WITHOUT_REASON, { session });
        const atMember = { ...ofClan(erasure), state: "running" as const, position: platformId };
        await reversals().updateMany(atMember, FROM_THE_FIRST, { session });
        return reduced.modifiedCount + deletedCount + modifiedCount;
      });
      return (changed ?? 0) + (await eraseReasons(erasure));
    },

    hasRunning: (target) =>
      read(async () => {
        const running = { state: "running", erased: true, ...ofClan(target) } as const;
        return (await reversals().findOne(running, { projection: { _id: 1 } })) !== null;
      }),
  };
}
