// The changes whose events have no numbers yet.
import type { Database } from "#mongo/database.ts";
import { makeUnnumberedEntries } from "#events/store/unnumbered-entries.ts";
import { makeUnnumberedRuns } from "#events/store/unnumbered-runs.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { UnnumberedChanges } from "#events/ports.ts";

export function makeUnnumberedChanges(database: Pick<Database, "db" | "interruptions">): UnnumberedChanges {
  const [entries, runs] = [makeUnnumberedEntries(database), makeUnnumberedRuns(database)];
  return {
    clans: (after, limit) =>
      read(async () => {
        const [ofEntries, ofRuns] = await Promise.all([entries.clans(after, limit), runs.clans(after)]);
        const all = [...new Set([...ofEntries, ...ofRuns])].toSorted().slice(0, limit);
        return all.map((clanId) => ({ clanId, hasOthers: ofRuns.has(clanId) }));
      }),

    list: ({ clanId, hasOthers }, { afterMember, limit }) =>
      read(async () => {
        const [ofMembers, others] = await Promise.all([
          entries.list(clanId, afterMember, limit),
          hasOthers ? runs.list(clanId, limit) : [],
        ]);
        return [...ofMembers, ...others].slice(0, limit);
      }),

    settle: (changes, end) =>
      rewrite(async () => {
        if (database.interruptions() !== end.interruptions) return;
        await Promise.all([
          entries.settle(changes.flatMap((change) => (change.kind === "entry" ? [change.entry] : []))),
          runs.settle(changes),
        ]);
      }),
  };
}
