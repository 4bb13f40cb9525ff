// A clan's new list of ranks, and how its ranks correspond to the current ones. Appointments refer to a rank by its id,
// not by its name.
import { GUEST_DEFAULT, isAppointable, rankFaults, rankIdOf, type Rank } from "#domain/rank.ts";

/** Commands use this name to withdraw an appointment. */
const NO_RANK = "none";

/** From the current name to the new one. */
export type Renames = ReadonlyMap<string, string>;

export type RankList = { kind: "valid"; ranks: readonly Rank[] } | { kind: "faulty"; faults: string[] };

/**
 * `given` null: the current list, renamed. Otherwise it names a renamed rank by its new or its old name. Without a
 * GUEST rank, Guest is added in front. A STAFF or OWNER rank keeps its id if it was STAFF or OWNER before. Every other
 * one gets a new id, so that no appointment of an earlier rank with the same name returns.
 */
export function replaceRanks(
  before: readonly Rank[],
  { given, renames, newId }: { given: readonly Rank[] | null; renames: Renames; newId: () => string },
): RankList {
  const names = new Set((given ?? []).map(({ name }) => name));
  const renamed = (given ?? before).map((rank) => {
    const next = renames.get(rank.name);
    return next === undefined || names.has(next) ? rank : { ...rank, name: next };
  });
  const listed = renamed.some((rank) => rank.kind === "GUEST") ? renamed : [GUEST_DEFAULT, ...renamed];
  const faults = [...renameFaults(before, listed, renames), ...nameFaults(before, listed), ...rankFaults(listed)];
  if (faults.length > 0) return { kind: "faulty", faults };
  const ranks = listed.map((rank) => {
    if (!isAppointable(rank)) return rank;
    const earlier = before.find(({ name }) => name === formerName(rank.name, renames));
    return { id: earlier && isAppointable(earlier) ? rankIdOf(earlier) : newId(), name: rank.name, kind: rank.kind };
  });
  return { kind: "valid", ranks };
}

/** The previous name of the rank with this name; null if that name belongs to another rank now. */
export function formerName(name: string, renames: Renames): string | null {
  for (const [from, to] of renames) if (to === name) return from;
  return renames.has(name) ? null : name;
}

/** A list that already has such a rank stays valid. */
function nameFaults(before: readonly Rank[], next: readonly Rank[]): string[] {
  const has = (ranks: readonly Rank[]): boolean => ranks.some((rank) => rank.name === NO_RANK && isAppointable(rank));
  return has(next) && !has(before) ? [`no STAFF or OWNER rank can be named "${NO_RANK}"`] : [];
}

function renameFaults(before: readonly Rank[], next: readonly Rank[], renames: Renames): string[] {
  const faults: string[] = [];
  for (const [from, to] of renames) {
    if (!before.some(({ name }) => name === from)) faults.push(`there is no rank "${from}" to rename`);
    if (!next.some(({ name }) => name === to)) faults.push(`no rank is named "${to}", to which "${from}" is renamed`);
  }
  if (new Set(renames.values()).size < renames.size) faults.push("two ranks are renamed to the same name");
  return faults;
}
