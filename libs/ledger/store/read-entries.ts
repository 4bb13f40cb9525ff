// Looks entries up by the keys of awards.
import type { Entry } from "#domain/entry.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { BY_KEY, entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { read } from "#mongo/mongo-calls.ts";
import type { LedgerStore } from "#ledger/ports.ts";

export function makeReadEntries({ db }: Pick<Database, "db">): LedgerStore["readEntries"] {
  return (awards, { local = false } = {}) =>
    read(async () => {
      const found = new Map<MemberId, Map<string, Entry>>();
      for (const [clanId, ofClan] of Map.groupBy(awards, (award) => award.clanId)) {
        // A little wider than requested (each member with each key), but one walk over the unique index; keys are then
        // matched exactly. With a hint: otherwise the planner may choose the index by time and read all entries of a
        // clan.
        const filter = {
          "_id.clanId": clanId,
          "_id.platformId": { $in: [...new Set(ofClan.map((award) => award.platformId))] },
          key: { $in: [...new Set(ofClan.map((award) => award.key))] },
        };
        // Majority: a replay must never return an entry that could be rolled back.
        const cursor = db()
          .collection<EntryDoc>("ledger")
          .find(filter, { readConcern: { level: local ? "local" : "majority" }, maxTimeMS: ANSWER_MS_MAX })
          .hint(BY_KEY);
        for await (const doc of cursor) {
          const entry = entryOfDoc(doc);
          const id = memberIdOf(entry);
          const ofMember = found.get(id) ?? new Map<string, Entry>();
          found.set(id, ofMember.set(entry.key, entry));
        }
      }
      return found;
    });
}
