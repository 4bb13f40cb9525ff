// What a change made of a clan's ranks, from the lists before and after it in its audit record.
import { listText, numberText } from "#contract/dashboard/audit-fields.ts";

/** Names of ranks in a sentence; of more it has the number. */
const NAMES_MAX = 3;

export type RecordedRank = { id?: string; name: string; kind: string; threshold?: string };
/** Null: there is no such rank on this side. At least one side has it. */
export type RankChange = { before: RecordedRank | null; after: RecordedRank | null };

/** In the order of the ranks after the change, then those that were removed. */
export function rankChanges(before: readonly RecordedRank[], after: readonly RecordedRank[]): RankChange[] {
  const left = new Set(before);
  const pairs = new Map<RecordedRank, RecordedRank>();
  // The surest sign first: a rename keeps the id of an appointable rank, the only Guest, or the threshold.
  for (const isSame of [sameId, sameName, bothGuest, sameThreshold]) {
    for (const rank of after) {
      const earlier = pairs.has(rank) ? undefined : [...left].find((one) => isSame(one, rank));
      if (!earlier) continue;
      pairs.set(rank, earlier);
      left.delete(earlier);
    }
  }
  return [
    ...after.map((rank) => ({ before: pairs.get(rank) ?? null, after: rank })),
    ...[...left].map((rank) => ({ before: rank, after: null })),
  ].filter(({ before: earlier, after: later }) => !earlier || !later || !isEqual(earlier, later));
}

/** `changed the threshold of Elite from 20,000 to 12,000`, `added the ranks Scout and Hero`. */
export function rankPhrases(changes: readonly RankChange[]): string[] {
  const [added, removed] = [changes.filter(({ before }) => !before), changes.filter(({ after }) => !after)];
  return [
    ...changes.flatMap(({ before, after }) => (before && after ? changePhrases(before, after) : [])),
    ...(added.length === 0 ? [] : [`added ${ranksText(added.map(({ after }) => after?.name ?? ""))}`]),
    ...(removed.length === 0 ? [] : [`removed ${ranksText(removed.map(({ before }) => before?.name ?? ""))}`]),
  ];
}

function changePhrases(before: RecordedRank, after: RecordedRank): string[] {
  const { name } = after;
  const [from, to] = [before.threshold, after.threshold];
  const isMoved = from !== undefined && to !== undefined && from !== to;
  return [
    ...(before.name === name ? [] : [`renamed the rank ${before.name} to ${name}`]),
    ...(before.kind === after.kind ? [] : [`made ${name} a rank ${kindText(after)}, not ${kindText(before)}`]),
    ...(isMoved ? [`changed the threshold of ${name} from ${numberText(from)} to ${numberText(to)}`] : []),
  ];
}

function ranksText(names: readonly string[]): string {
  if (names.length > NAMES_MAX) return `${names.length} ranks`;
  return `the rank${names.length === 1 ? "" : "s"} ${listText(names)}`;
}

/** The ranks of a clan; those of a boost are names. */
export function isRankList(value: unknown): value is readonly RecordedRank[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "object");
}

/** The kind of a rank, with its threshold. */
export function rankText(rank: RecordedRank): string {
  return rank.threshold === undefined ? kindText(rank) : `${kindText(rank)}, from ${numberText(rank.threshold)}`;
}

function kindText({ kind }: RecordedRank): string {
  return kinds[kind] ?? kind;
}
const kinds: Readonly<Record<string, string>> = {
  GUEST: "for guests",
  NORMAL: "by XP",
  STAFF: "by appointment (staff)",
  OWNER: "by appointment (owner)",
};

function sameId(one: RecordedRank, other: RecordedRank): boolean {
  return one.id !== undefined && one.id === other.id;
}

function sameName(one: RecordedRank, other: RecordedRank): boolean {
  return one.name === other.name;
}

function bothGuest(one: RecordedRank, other: RecordedRank): boolean {
  return one.kind === "GUEST" && other.kind === "GUEST";
}

function sameThreshold(one: RecordedRank, other: RecordedRank): boolean {
  return one.threshold !== undefined && one.threshold === other.threshold;
}

/** An id that another list of the same ranks has given is no change to a person. */
function isEqual(one: RecordedRank, other: RecordedRank): boolean {
  return one.name === other.name && one.kind === other.kind && one.threshold === other.threshold;
}
