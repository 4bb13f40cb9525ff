// A clan's next list of ranks: which of its ranks is which of the present ones. Appointments follow a rank by its id,
// not by its name.
import { GUEST_DEFAULT, isAppointable, rankFaults, rankIdOf, type Rank } from "#domain/rank.ts";

/** By the name of now, the name from now on. */
export type Renames = ReadonlyMap<string, string>;

export type RankList = { kind: "valid"; ranks: readonly Rank[] } | { kind: "faulty"; faults: string[] };

/**
 * `given` null: the present list, renamed. Otherwise it names a renamed rank by its new name or by its old one. Without
 * a GUEST rank, Guest is put in front. A STAFF or OWNER rank keeps its id where it was STAFF or OWNER before; every
 * other one gets a new id, so that no appointment of an earlier rank of the same name comes back.
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
  const faults = [...renameFaults(before, listed, renames), ...rankFaults(listed)];
  if (faults.length > 0) return { kind: "faulty", faults };
  const ranks = listed.map((rank) => {
    if (!isAppointable(rank)) return rank;
    const earlier = before.find(({ name }) => name === formerName(rank.name, renames));
    return { id: earlier && isAppointable(earlier) ? rankIdOf(earlier) : newId(), name: rank.name, kind: rank.kind };
  });
  return { kind: "valid", ranks };
}

/** What the rank of this name was called; null where that name belongs to another rank now. */
export function formerName(name: string, renames: Renames): string | null {
  for (const [from, to] of renames) if (to === name) return from;
  return renames.has(name) ? null : name;
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
