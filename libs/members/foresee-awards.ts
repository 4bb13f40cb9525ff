// Decides awards as the committer would, and commits nothing: what a dry run reports. Only the decision is shared with
// the committer; here, what was decided before replaces what it would have committed.
import type { Award } from "#domain/award.ts";
import { decideAwards } from "#domain/decide-awards.ts";
import type { Clan } from "#domain/clan.ts";
import type { Entry } from "#domain/entry.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import type { Outcome } from "#domain/outcome.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import type { NameStore } from "#names/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/**
 * Outcomes of awards of one clan, in order, after all awards of earlier calls. Memory grows with the awards. Throws
 * AppError `unavailable`.
 */
type ForeseeAwards = (clan: Clan, awards: readonly Award[]) => Promise<Outcome[]>;

/** What an import needs, so that it only reports what it would do. */
export function makeDryRun({
  names,
  ...deps
}: Parameters<typeof makeForeseeAwards>[0] & { names: Pick<NameStore, "read"> }) {
  return { settle: makeForeseeAwards(deps), names: { read: names.read, set: async () => {} } };
}

function makeForeseeAwards(deps: {
  store: Pick<LedgerStore, "readHeads" | "readEntries">;
  clock: Pick<Clock, "now">;
}): ForeseeAwards {
  const { store, clock } = deps;
  const foreseen = { heads: new Map<MemberId, Head>(), entries: new Map<string, Entry>() };

  return async function foreseeAwards(clan, awards) {
    const unread = awards.filter((award) => !foreseen.heads.has(memberIdOf(award)));
    const heads = await store.readHeads(unread);
    const stored = await store.readEntries(awards);
    const outcomes = new Map<Award, Outcome>();
    for (const [id, ofMember] of Map.groupBy(awards, memberIdOf)) {
      const read = heads.get(id);
      // After an erasure nothing of the member is left.
      const isErased = read?.erasing === true;
      const head = foreseen.heads.get(id) ?? (isErased ? NEW_HEAD : (read ?? NEW_HEAD));
      const known = new Map(isErased ? [] : stored.get(id));
      for (const { key } of ofMember) {
        const entry = foreseen.entries.get(`${id} ${key}`);
        if (entry) known.set(key, entry);
      }
      const decision = decideAwards({ clan, head, awards: ofMember, known, now: clock.now() });
      foreseen.heads.set(id, decision.head);
      for (const entry of decision.entries) foreseen.entries.set(`${id} ${entry.key}`, entry);
      for (const [index, outcome] of decision.outcomes.entries()) {
        const award = ofMember[index];
        if (award) outcomes.set(award, outcome);
      }
    }
    return awards.flatMap((award) => outcomes.get(award) ?? []);
  };
}
