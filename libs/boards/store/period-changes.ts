// Counts the events of members in a span of time, from the ledger by its index (clan, at): events are deleted by age,
// which may be shorter than a period.
import { eventsOfEntry } from "#domain/events-of-entry.ts";
import type { Database } from "#mongo/database.ts";
import { listChanges } from "#events/store/marked-entries.ts";
import { NO_FENCE } from "#mongo/filters.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import type { CountChanges } from "#boards/ports.ts";

/** Entries without events. */
const ANNOUNCED = { silent: { $exists: false } } as const;

export function makeCountChanges({ db }: Pick<Database, "db">): CountChanges {
  return async ({ clanId, ranks }, { from, to }) => {
    const counts = { joined: 0, left: 0, rose: 0, fell: 0 };
    const filter = { "_id.clanId": clanId, at: { $gte: from, $lt: to }, ...ANNOUNCED, ...NO_FENCE };
    for await (const changes of listChanges(db().collection<EntryDoc>("ledger"), filter, { everyEntry: false }))
      for (const { doc, before } of changes)
        for (const event of eventsOfEntry(entryOfDoc(doc), "changes", { before, ranks })) {
          if (event.type === "member.joined") counts.joined += 1;
          else if (event.type === "member.left") counts.left += 1;
          else if (event.type === "member.rank_changed") counts[event.data.direction === "up" ? "rose" : "fell"] += 1;
        }
    return counts;
  };
}
