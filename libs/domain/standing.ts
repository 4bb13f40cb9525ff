// What a member has gained in a period. It is pure: counting the same entries again gives the same.
import { isCancellation } from "#domain/award-key.ts";
import { isByPerson } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { partAt, type Span } from "#domain/period.ts";

/**
 * `awards`: how many there were, reversed ones too. `reachedAt`: the entry that brought the member to this XP. `seq`:
 * every entry up to it is counted. `removed`: a person ended the membership, and the member is not on the board.
 */
export type Standing = { xp: bigint; awards: number; reachedAt: Date; seq: number; removed: boolean };

/** `awardAt`: of the award that a reversal takes back; null if no key and no batch awarded it. */
export type CountedEntry = { seq: number; at: Date; applied: bigint; removed: boolean } & (
  | { what: "award" | "membership" | "other" }
  | { what: "reversal"; awardAt: Date | null }
);

/** A period that is not final. `rows` names its standings. */
export type CountedPeriod = Span & { rows: string };

/** Whether periods count it: it was sent with a key, alone or in a batch. */
export function isCountedAward(entry: Pick<Entry, "kind" | "actor" | "batchId" | "fingerprint">): boolean {
  return !isByPerson(entry) && !isCancellation(entry);
}

/** The periods whose standing of the member an entry may change, one of each board or, with a membership, all. */
export function periodsOfEntry<Listed extends CountedPeriod>(
  boards: readonly (readonly Listed[])[],
  entry: CountedEntry,
): Listed[] {
  const { what, at } = entry;
  if (what === "other") return [];
  if (what === "membership") return boards.flat().filter(({ finalAt }) => at < finalAt);
  const time = entry.what === "reversal" ? entry.awardAt : at;
  const found = time === null ? [] : boards.flatMap((periods) => partAt(periods, time) ?? []);
  return what === "award" ? found : found.filter(({ finalAt }) => at < finalAt);
}

/**
 * One member's standings after these entries, by `rows`: those that change. Entries that a standing contains already are
 * skipped.
 */
export function standingsAfter(
  before: ReadonlyMap<string, Standing>,
  boards: readonly (readonly CountedPeriod[])[],
  entries: readonly CountedEntry[],
): Map<string, Standing> {
  const after = new Map<string, Standing>();
  for (const entry of entries) {
    for (const { rows } of periodsOfEntry(boards, entry)) {
      const known = after.get(rows) ?? before.get(rows);
      if (known ? entry.seq <= known.seq : entry.what !== "award") continue;
      const gained = entry.what === "membership" ? 0n : entry.applied;
      after.set(rows, {
        xp: (known?.xp ?? 0n) + gained,
        awards: (known?.awards ?? 0) + (entry.what === "award" ? 1 : 0),
        reachedAt: known && gained === 0n ? known.reachedAt : entry.at,
        seq: entry.seq,
        removed: entry.removed,
      });
    }
  }
  return after;
}
