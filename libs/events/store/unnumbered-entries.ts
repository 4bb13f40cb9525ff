// Entries whose events have no numbers yet: those with the flag `ev`.
import type { Collection } from "mongodb";
import type { Entry } from "#domain/entry.ts";
import type { Database } from "#mongo/database.ts";
import { FLAGGED, FLAGGED_READ_MAX, SETTLING } from "#events/store/flags.ts";
import { readHeadsBefore, refOfEntry, updateOfEntry } from "#events/store/marked-entries.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { entryOfDoc, UNNUMBERED_ORDER, type EntryDoc } from "#ledger/store/entry-model.ts";
import { MAJORITY } from "#mongo/mongo-calls.ts";
import type { UnnumberedChange } from "#events/ports.ts";

export function makeUnnumberedEntries({ db }: Pick<Database, "db">) {
  const ledger = (): Collection<EntryDoc> => db().collection<EntryDoc>("ledger");

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
      const headBefore = await readHeadsBefore(ledger(), docs);
      return docs.map((doc) => ({
        kind: "entry",
        ref: refOfEntry(doc),
        entry: entryOfDoc(doc),
        announced: doc.ev === 2 ? "all" : "changes",
        before: headBefore(doc),
      }));
    },

    async settle(entries: readonly Entry[]): Promise<void> {
      if (entries.length === 0) return;
      const writes = entries.map((entry) => updateOfEntry(entry, { $unset: { ev: "" as const } }));
      await ledger().bulkWrite(writes, { ordered: false, ...SETTLING });
    },
  };
}
