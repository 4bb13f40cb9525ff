// Computes how a new list of ranks would change the ranks of a clan's members. It counts groups of members who have the
// same rank under either list.
import type { Clan } from "#domain/clan.ts";
import { isAppointable, normalRanks, rankIdOf, standingOf, type Rank } from "#domain/rank.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import { formerName, replaceRanks, type Renames } from "#domain/replace-ranks.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { MemberLists } from "#members/member-lists.ts";
import type { MemberGroup } from "#members/ports.ts";

/**
 * `before`, `after`: number of members with the rank. `rise`, `fall`: those who would reach it from a lower or a higher
 * rank.
 */
export type RankCounts = { rank: Rank; before: number; after: number; rise: number; fall: number };

/**
 * `changed`: members whose rank would change, including those who rise or fall; a renamed rank counts as the same.
 * `dropped`: appointments to a STAFF or OWNER rank that would end. `ranks`: the ranks of the new list, then those that
 * it lacks.
 */
export type RanksPreview = {
  members: number;
  rise: number;
  fall: number;
  changed: number;
  dropped: number;
  ranks: RankCounts[];
};

export type RanksRequest = {
  clanId: string;
  /** Null means the current ones. */ ranks: readonly Rank[] | null;
  renames: Renames;
  /** Whether the stored list is the one that the person has edited; absent if any stored list may be replaced. */
  isExpected?: (stored: readonly Rank[]) => boolean;
};

export type PreviewedRanks =
  | {
      kind: "previewed";
      clan: Clan;
      /** The list as it would be stored. */ ranks: readonly Rank[];
      preview: RanksPreview;
    }
  | { kind: "list_changed" }
  | { kind: "no_clan" }
  | { kind: "faulty"; faults: string[] };

/** Changes nothing. Throws AppError `unavailable`. */
export type PreviewRanks = (request: RanksRequest) => Promise<PreviewedRanks>;

export function makePreviewRanks(deps: {
  clans: Pick<ClanStore, "read">;
  lists: Pick<MemberLists, "groups">;
  newRankId: () => string;
}): PreviewRanks {
  return async function previewRanks({ clanId, ranks: given, renames, isExpected = () => true }) {
    const clan = (await deps.clans.read([clanId])).get(clanId);
    if (!clan) return { kind: "no_clan" };
    if (!isExpected(clan.ranks)) return { kind: "list_changed" };
    const list = replaceRanks(clan.ranks, { given, renames, newId: deps.newRankId });
    if (list.kind === "faulty") return list;
    const next: Clan = { ...clan, ranks: list.ranks };
    const thresholds = thresholdsOf(clan, next);
    const groups = await deps.lists.groups(clanId, thresholds);
    return {
      kind: "previewed",
      clan,
      ranks: list.ranks,
      preview: previewOf({ clan, next, renames, thresholds, groups }),
    };
  };
}

function thresholdsOf(...clans: readonly Clan[]): bigint[] {
  const thresholds = new Set(clans.flatMap((clan) => normalRanks(clan).map(({ threshold }) => threshold)));
  return [...thresholds].sort((a, b) => (a < b ? -1 : 1));
}

type Comparison = {
  clan: Clan;
  next: Clan;
  renames: Renames;
  thresholds: readonly bigint[];
  groups: readonly MemberGroup[];
};

function previewOf({ clan, next, renames, thresholds, groups }: Comparison): RanksPreview {
  const lost = clan.ranks.filter((rank) => !next.ranks.some(({ name, kind }) => isSame(rank, { name, kind }, renames)));
  const preview: RanksPreview = {
    members: 0,
    rise: 0,
    fall: 0,
    changed: 0,
    dropped: 0,
    ranks: [...next.ranks, ...lost].map((rank) => ({ rank, before: 0, after: 0, rise: 0, fall: 0 })),
  };
  const remaining = new Set(next.ranks.filter(isAppointable).map(rankIdOf));
  const held = new Set(clan.ranks.filter(isAppointable).map(rankIdOf));
  for (const { appointedRank, reached, members } of groups) {
    const head = headOf({ appointedRank, reached }, thresholds);
    const from = rankOf(clan, head);
    const to = rankOf(next, head);
    const [before, after] = [
      preview.ranks.find(({ rank }) => isSame(from, rank, renames)),
      preview.ranks.find(({ rank }) => rank === to),
    ];
    preview.members += members;
    if (before) before.before += members;
    if (after) after.after += members;
    if (appointedRank !== null && held.has(appointedRank) && !remaining.has(appointedRank)) preview.dropped += members;
    if (before === after) continue;
    preview.changed += members;
    const direction = directionOf(from, to, { clan, next, renames });
    if (direction === null) continue;
    preview[direction] += members;
    if (after) after[direction] += members;
  }
  return preview;
}

/** One member of the group: all of them have the same rank, wherever they are between two thresholds. */
function headOf(
  { appointedRank, reached }: Pick<MemberGroup, "appointedRank" | "reached">,
  thresholds: readonly bigint[],
): Head {
  const xp = reached === 0 ? (thresholds[0] ?? 0n) - 1n : (thresholds[reached - 1] ?? 0n);
  return { ...NEW_HEAD, xp, membership: { since: new Date(0) }, appointedRank };
}

function rankOf(clan: Clan, head: Head): Rank | undefined {
  const { rank } = standingOf(clan, head);
  return clan.ranks.find(({ name }) => name === rank);
}

/** `now` belongs to the old list; `next` to either. */
function isSame(now: Rank | undefined, next: Pick<Rank, "name" | "kind">, renames: Renames): boolean {
  if (now === next) return true;
  if (now?.kind === "GUEST" || next.kind === "GUEST") return now?.kind === next.kind;
  return now !== undefined && now.name === formerName(next.name, renames);
}

const LEVEL = { GUEST: 0, NORMAL: 1, STAFF: 2, OWNER: 3 } as const;

/** Null: neither is above the other, because one replaced the other. */
function directionOf(
  from: Rank | undefined,
  to: Rank | undefined,
  { clan, next, renames }: Pick<Comparison, "clan" | "next" | "renames">,
): "rise" | "fall" | null {
  if (!from || !to) return null;
  const level = LEVEL[to.kind] - LEVEL[from.kind];
  if (level !== 0) return level > 0 ? "rise" : "fall";
  const [fromInNext, toInNext] = [next.ranks.findIndex((rank) => isSame(from, rank, renames)), next.ranks.indexOf(to)];
  const [fromInOld, toInOld] = [clan.ranks.indexOf(from), clan.ranks.findIndex((rank) => isSame(rank, to, renames))];
  if (fromInNext !== -1) return toInNext > fromInNext ? "rise" : "fall";
  if (toInOld !== -1) return toInOld > fromInOld ? "rise" : "fall";
  return null;
}
