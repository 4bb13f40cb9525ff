// Removes a member from reversals. Records of reversals that select only that member are deleted: a running one ends
// with its record, and its effects are in the member's entries. A done one that a person requested keeps its counts,
// which the audit log shows. Reversals of several members lose a reason that names the member, in their records and
// in the entries that they wrote for the others.
//
// A reset is about all members. If its position is this one, it begins anew: it counts what it has already taken.
import type { Document, Filter, UpdateFilter } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { REVERSALS_PER_ERASURE } from "#mongo/bounds.ts";
import { makeEraseReasons } from "#erasure/store/erase-reasons.ts";
import { read } from "#mongo/mongo-calls.ts";
import { namingText, ofClan } from "#mongo/filters.ts";
import { FIRST_MEMBER } from "#domain/reversal.ts";
import type { ReversalDoc } from "#reversals/store/reversal-model.ts";
import { makeWhileOpen } from "#erasure/store/while-open.ts";
import type { Erasure, Redaction } from "#erasure/ports.ts";

/** A run in progress must not write what it has read: `erased` is set until it has read its record again. */
const WITHOUT_REASON = [{ $set: { reason: null, erased: { $cond: [{ $eq: ["$state", "done"] }, "$$REMOVE", true] } } }];

const FROM_THE_FIRST = { $set: { position: FIRST_MEMBER, selected: 0, reversed: 0, skipped: 0, amount: "0" } } as const;

const COUNTS_ONLY = { $set: { reason: null }, $unset: { by: "", selection: "" } } as const;

/** Those that it changes do not match its filter afterwards. */
type Step = { filter: Filter<ReversalDoc>; change: UpdateFilter<ReversalDoc> | Document[] | null };

export function makeRedactReversals({ db }: Pick<Database, "db">): Redaction {
  const whileOpen = makeWhileOpen({ db });
  const eraseReasons = makeEraseReasons({ db });
  const reversals = () => db().collection<ReversalDoc>("reversals");

  /** A bounded number in each transaction. `change` null: deletes them. Returns how many. */
  async function changeAll(erasureId: string, { filter, change }: Step): Promise<number> {
    for (let total = 0; ;) {
      const changed = await whileOpen(erasureId, "reversals", async (session) => {
        const options = { session, projection: { _id: 1 }, limit: REVERSALS_PER_ERASURE } as const;
        const ids = (await reversals().find(filter, options).toArray()).map(({ _id }) => _id);
        const these = { _id: { $in: ids } };
        if (ids.length === 0) return 0;
        if (change === null) await reversals().deleteMany(these, { session });
        else await reversals().updateMany(these, change, { session });
        return ids.length;
      });
      if (!changed) return total;
      total += changed;
    }
  }

  function stepsOf(erasure: Erasure): Step[] {
    const { platformId } = erasure;
    const ofMember = { ...ofClan(erasure), "selection.platformId": platformId };
    return [
      { filter: { ...ofMember, state: "done", actor: { $exists: true } }, change: COUNTS_ONLY },
      { filter: ofMember, change: null },
      { filter: { ...ofClan(erasure), reason: namingText(platformId) }, change: WITHOUT_REASON },
      { filter: { ...ofClan(erasure), state: "running", position: platformId }, change: FROM_THE_FIRST },
    ];
  }

  return {
    async redact(erasure) {
      let redacted = 0;
      for (const step of stepsOf(erasure)) redacted += await changeAll(erasure.erasureId, step);
      return redacted + (await eraseReasons(erasure));
    },

    hasRunning: (target) =>
      read(async () => {
        const running = { state: "running", erased: true, ...ofClan(target) } as const;
        return (await reversals().findOne(running, { projection: { _id: 1 } })) !== null;
      }),
  };
}
