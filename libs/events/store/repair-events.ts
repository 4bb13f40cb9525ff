// Finds changes that have events and no flag, and flags them again (libs/events/repair-events.ts).
import type { Collection } from "mongodb";
import { memberSubject } from "#domain/change-ref.ts";
import { eventsOfEntry } from "#domain/events-of-entry.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import type { Database } from "#mongo/database.ts";
import type { EventDoc } from "#events/store/event-model.ts";
import { idsIn, PREFIX } from "#events/store/flags.ts";
import { CHANGES_PER_GROUP, listChanges, refOfEntry, updateOfEntry } from "#events/store/marked-entries.ts";
import { between } from "#events/store/positions.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { groupsOf, MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import type { ReversalDoc } from "#reversals/store/reversal-model.ts";
import type { EventRepair, SettledChange } from "#events/ports.ts";

const SETTLED = { ev: { $exists: false } } as const;
/** Keys of imported changes (libs/domain/award-key.ts). */
const NOT_IMPORTED = { key: { $not: /^imp\// } } as const;
const RUNS = [
  { name: "batches", type: "batch.done" },
  { name: "reversals", type: "reversal.done" },
] as const;

/** Resets have no event when they are done. */
const NO_RESET = { "selection.kind": { $ne: "xp" } } as const;

type Db = Pick<Database, "db">;

export function makeEventRepair({ db }: Db): EventRepair {
  const listEntries = makeListEntries({ db });

  /** Only events of earlier changes were deleted by age; null if none was. */
  async function oldestKept(clanId: string): Promise<Date | null> {
    const oldest = await db()
      .collection<EventDoc>("events")
      .findOne(between(clanId, 0, Infinity), { ...MAJORITY, sort: { _id: 1 } });
    // The newest event of a clan stays, without its content.
    if (oldest?.type === undefined) return oldest && new Date(oldest.at.getTime() + 1);
    return oldest._id.n > 1 ? oldest.at : null;
  }

  async function* listRuns(clanId: string, from: Date): AsyncGenerator<SettledChange[]> {
    for (const { name, type } of RUNS) {
      const done = { clanId, state: "done", finishedAt: { $gte: from }, ...SETTLED, ...NO_RESET } as const;
      const cursor = db()
        .collection<BatchDoc | ReversalDoc>(name)
        .find(done, { ...MAJORITY, batchSize: CHANGES_PER_GROUP })
        .project<{ _id: string; finishedAt: Date }>({ finishedAt: 1 });
      for await (const docs of groupsOf(cursor)) {
        yield docs.map(({ _id, finishedAt }) => ({
          ref: { subject: PREFIX[name] + _id, seq: 0, at: finishedAt },
          types: [type],
          announced: "changes",
        }));
      }
    }
  }

  async function flagRuns(changes: readonly SettledChange[]): Promise<void> {
    for (const { name } of RUNS) {
      const ids = idsIn(changes, PREFIX[name]);
      if (ids.length === 0) continue;
      await db()
        .collection<{ _id: string; ev?: true }>(name)
        .updateMany({ _id: { $in: ids } }, { $set: { ev: true } });
    }
  }

  return {
    async *listSettled(clanId, { since, everyEntry }) {
      const oldest = await read(() => oldestKept(clanId));
      const from = oldest && oldest > since ? oldest : since;
      yield* listEntries(clanId, from, everyEntry);
      yield* listRuns(clanId, from);
    },

    flag: (clanId, changes) =>
      rewrite(async () => {
        const ofEntries = changes.filter(({ ref }) => ref.seq > 0).map((change) => flagOf(clanId, change));
        if (ofEntries.length > 0) await db().collection<EntryDoc>("ledger").bulkWrite(ofEntries, { ordered: false });
        await flagRuns(changes);
      }),
  };
}

function flagOf(clanId: string, { ref: { subject, seq, at }, announced }: SettledChange) {
  const platformId = subject.slice(memberSubject("").length);
  const update = { $set: { ev: announced === "all" ? 2 : 1 } } as const;
  return updateOfEntry({ clanId, platformId, seq, at }, update, SETTLED);
}

function makeListEntries({ db }: Db) {
  const ledger = (): Collection<EntryDoc> => db().collection<EntryDoc>("ledger");

  return async function* listEntries(clanId: string, from: Date, everyEntry: boolean): AsyncGenerator<SettledChange[]> {
    const filter = { "_id.clanId": clanId, at: { $gte: from }, ...SETTLED, ...NO_FENCE, ...NOT_IMPORTED };
    const announced = everyEntry ? "all" : "changes";
    for await (const changes of listChanges(ledger(), filter, { everyEntry }))
      yield changes.flatMap(({ doc, before }): SettledChange[] => {
        const types = eventsOfEntry(entryOfDoc(doc), announced, { before, ranks: [] }).map(({ type }) => type);
        return types.length === 0 ? [] : [{ ref: refOfEntry(doc), types, announced }];
      });
  };
}
