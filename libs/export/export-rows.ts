// The content of an export: the columns of each kind, and its rows, read in pages in the order of their ids. Those of
// events are in event-rows.ts, and those of the audit log in audit-rows.ts.
import { awardIdOf } from "#contract/award-id.ts";
import { reversedAwardId } from "#domain/award-key.ts";
import { limitOf } from "#domain/entry.ts";
import type { Clan } from "#domain/clan.ts";
import { isAppointable, rankIdOf, standingOf } from "#domain/rank.ts";
import type { Member } from "#domain/member.ts";
import { positionsOf } from "#domain/position.ts";
import type { ListEntries } from "#members/list-entries.ts";
import type { ListedEntry } from "#members/with-reversals.ts";
import type { Leaderboard } from "#members/leaderboard.ts";
import type { NameStore } from "#names/ports.ts";

/** Rows in memory, and in one read: some hundred kilobytes. */
export const ROWS_PER_PAGE = 500;

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** The fields of each kind; a CSV file has them under `columnName`. */
export const exportColumns = {
  members: ["platformId", "xp", "rank", "membership", "appointedRank", "position", "last_award_at", "name", "hidden"],
  ledger: [
    "platformId",
    "seq",
    "awardId",
    "kind",
    "at",
    "amount",
    "applied",
    "xp",
    "rank",
    "reason",
    "placeId",
    "matchId",
    "verified",
    "keyId",
    "actor",
    "batchId",
    "membershipCreated",
    "reverses",
    "reversedBy",
    "limitedBy",
    "boostId",
    "boostName",
    "boostPercent",
    "boostAmount",
  ],
  events: [
    "id",
    "type",
    "timestamp",
    "clanId",
    "platformId",
    "name",
    "seq",
    "xp",
    "rank",
    "previousRank",
    "direction",
    "cause",
    "awardId",
    "amount",
    "applied",
    "reason",
    "data",
  ],
  standings: ["position", "platform_id", "name", "xp", "reached_at"],
  gains: ["position", "platformId", "name", "xp", "awards", "member", "firstAwardAt", "lastAwardAt"],
  sample: ["platformId", "name", "xp", "membership", "appointedRank", "reason"],
  audit: ["at", "actor", "via", "action", "target", "change", "details"],
} as const;
export type ExportKind = Exclude<keyof typeof exportColumns, "standings" | "gains" | "sample">;

/** The columns whose cells may begin with a minus sign and are no text. */
export const NUMBER_COLUMNS: ReadonlySet<string> = new Set(["amount", "applied", "xp"]);

/** `pagesOf`: the members. All positions are those of the time at which the export began. */
export async function* memberRows(
  { leaderboard, names }: { leaderboard: Pick<Leaderboard, "order">; names: Pick<NameStore, "readAll"> },
  clan: Clan,
  pagesOf: (pageSize: number) => AsyncIterable<Member[]>,
): AsyncGenerator<Row[]> {
  const order = await leaderboard.order(clan.clanId);
  for await (const members of pagesOf(ROWS_PER_PAGE)) {
    const positions = positionsOf(order, members);
    const known = await names.readAll(
      clan.clanId,
      members.map(({ platformId }) => platformId),
    );
    yield members.map((member) => ({
      ...memberRow(clan, member, positions.get(member.platformId)?.value ?? null),
      name: known.get(member.platformId)?.name ?? null,
      hidden: known.get(member.platformId)?.isHidden ?? false,
    }));
  }
}

/** `platformId`: the entries of this member only. */
export async function* ledgerRows(
  entries: Pick<ListEntries, "ofClan">,
  clan: Pick<Clan, "clanId">,
  platformId?: string,
): AsyncGenerator<Row[]> {
  yield* entryRows(entries.ofClan(clan.clanId, ROWS_PER_PAGE, platformId));
}

/** `pages`: of at most ROWS_PER_PAGE entries. */
export async function* entryRows(pages: AsyncIterable<readonly ListedEntry[]>): AsyncGenerator<Row[]> {
  for await (const listed of pages) yield listed.map(entryRow);
}

function memberRow(clan: Clan, member: Member, position: number | null): Row {
  const appointed = clan.ranks.find((rank) => isAppointable(rank) && rankIdOf(rank) === member.appointedRank);
  return {
    platformId: member.platformId,
    xp: member.xp.toString(),
    rank: standingOf(clan, member).rank,
    membership: member.membership?.since.toISOString() ?? null,
    appointedRank: appointed?.name ?? null,
    position,
    last_award_at: member.lastAwardAt?.toISOString() ?? null,
  };
}

function entryRow({ entry, reversedBySeq }: ListedEntry): Row {
  return {
    platformId: entry.platformId,
    seq: entry.seq,
    awardId: awardIdOf(entry),
    kind: entry.kind ?? "award",
    at: entry.at.toISOString(),
    amount: entry.amount.toString(),
    applied: entry.applied.toString(),
    xp: entry.xp.toString(),
    rank: entry.rank,
    reason: entry.reason ?? null,
    placeId: entry.source?.placeId ?? null,
    matchId: entry.source?.matchId ?? null,
    verified: entry.source?.verified ?? null,
    keyId: entry.apiKeyId,
    actor: entry.actor ?? null,
    batchId: entry.batchId ?? null,
    membershipCreated: entry.membershipCreated,
    reverses: entry.kind === "reversal" ? reversedAwardId(entry.key) : null,
    reversedBy: reversedBySeq === undefined ? null : awardIdOf({ ...entry, seq: reversedBySeq }),
    limitedBy: limitOf(entry),
    boostId: entry.boost?.boostId ?? null,
    boostName: entry.boost?.name ?? null,
    boostPercent: entry.boost?.percent ?? null,
    boostAmount: entry.boost?.amount.toString() ?? null,
  };
}
