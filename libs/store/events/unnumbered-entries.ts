// Entries whose events have no numbers yet: those with the flag `ev`.
import type { mongo } from "mongoose";
import { memberSubject } from "#domain/change-ref.ts";
import type { Entry } from "#domain/entry.ts";
import { headAfter, type Head } from "#domain/head.ts";
import type { Database } from "#store/database.ts";
import { FLAGGED, FLAGGED_READ_MAX, SETTLING } from "#store/events/flags.ts";
import { MAJORITY } from "#store/events/positions.ts";
import { NO_FENCE } from "#store/filters.ts";
import { entryOfDoc, UNNUMBERED_ORDER, type EntryDoc } from "#store/ledger/entry-model.ts";
import { amongIds, BY_ID, idsOfMember } from "#store/ledger/ledger-filters.ts";
import type { UnnumberedChange } from "#usecases/events/ports.ts";

export function makeUnnumberedEntries({ db }: Pick<Database, "db">) {
  const ledger = (): mongo.Collection<EntryDoc> => db().collection<EntryDoc>("ledger");

  return {
    /** Clans that have any: one read if few entries are flagged, otherwise at most one for each clan. */
    async clans(after: string | null, limit: number): Promise<string[]> {
      const found: string[] = [];
      for (let above = after ?? ""; found.length < limit;) {
        const docs = await ledger()
          .find({ ...FLAGGED, "_id.clanId": { $gt: above } }, { ...MAJORITY, projection: { "_id.clanId": 1 } })
          .hint(UNNUMBERED_ORDER)
          .sort(UNNUMBERED_ORDER)
          .limit(FLAGGED_READ_MAX)
          .toArray();
        found.push(...new Set(docs.map(({ _id }) => _id.clanId)));
        if (docs.length < FLAGGED_READ_MAX) break;
        above = found.at(-1) ?? above;
      }
      return found.slice(0, limit);
    },

    /** Through the index in the order of (member, seq): see number-events.ts. */
    async list(clanId: string, afterMember: string | null, limit: number): Promise<UnnumberedChange[]> {
      const from = afterMember === null ? {} : { "_id.platformId": { $gt: afterMember } };
      const docs = await ledger()
        .find({ ...FLAGGED, ...NO_FENCE, "_id.clanId": clanId, ...from }, MAJORITY)
        .hint(UNNUMBERED_ORDER)
        .sort(UNNUMBERED_ORDER)
        .limit(limit)
        .toArray();
      const before = await headsBefore(ledger(), docs);
      return docs.map((doc) => ({
        kind: "entry",
        ref: { subject: memberSubject(doc._id.platformId), seq: doc._id.seq, at: doc.at },
        entry: entryOfDoc(doc),
        announced: doc.ev === 2 ? "all" : "changes",
        before: before.get(nameOf(doc._id)) ?? null,
      }));
    },

    async settle(entries: readonly Entry[]): Promise<void> {
      if (entries.length === 0) return;
      const writes = entries.map(({ clanId, platformId, seq, at }) => ({
        updateOne: {
          // By its time too: after an erasure, a new entry may have the number of one that was deleted.
          filter: { ...idsOfMember({ clanId, platformId }, { clanId, platformId, seq }), at },
          update: { $unset: { ev: "" as const } },
          hint: BY_ID,
        },
      }));
      await ledger().bulkWrite(writes, { ordered: false, ...SETTLING });
    },
  };
}

/** By the entry that follows: only of changes that are no awards. */
async function headsBefore(
  ledger: mongo.Collection<EntryDoc>,
  docs: readonly EntryDoc[],
): Promise<ReadonlyMap<string, Head>> {
  const ids = docs
    .filter(({ kind }) => kind === "membership" || kind === "appointment")
    .map(({ _id: { clanId, platformId, seq } }) => ({ clanId, platformId, seq: seq - 1 }));
  if (ids.length === 0) return new Map();
  const found = await ledger.find(amongIds(ids), { ...MAJORITY, hint: BY_ID }).toArray();
  return new Map(
    found.flatMap((doc) => {
      const head = headAfter(entryOfDoc(doc));
      return head ? [[nameOf({ ...doc._id, seq: doc._id.seq + 1 }), head]] : [];
    }),
  );
}

function nameOf({ platformId, seq }: EntryDoc["_id"]): string {
  return `${platformId}/${seq}`;
}
