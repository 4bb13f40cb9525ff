// What a change made of a clan's ranks, from the lists before and after it in its audit record.
import { numberText } from "#contract/audit-fields.ts";

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

/** `changed the threshold of Elite from 20,000 to 12,000`: one or several for each change. */
export function rankPhrases({ before, after }: RankChange): string[] {
  if (!before) return after ? [`added the rank ${after.name}`] : [];
  if (!after) return [`removed the rank ${before.name}`];
  const isRenamed = before.name !== after.name;
  return [
    ...(isRenamed ? [`renamed the rank ${before.name} to ${after.name}`] : []),
    ...(before.kind === after.kind ? [] : [`made ${after.name} a rank ${kindText(after)}, not ${kindText(before)}`]),
    ...(before.threshold === undefined || after.threshold === undefined || before.threshold === after.threshold
      ? []
      : [
          `changed the threshold of ${after.name} from ${numberText(before.threshold)} to ${numberText(after.threshold)}`,
        ]),
  ];
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
