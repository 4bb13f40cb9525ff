// What reading members and their ledgers needs from the outside.
import type { EntryKind } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Member, MemberSort } from "#domain/member.ts";
import type { Limited, Page } from "#domain/page.ts";
import type { RankHolders } from "#domain/rank-holders.ts";
import type { Totals } from "#domain/totals.ts";

export type MemberPosition = { xp: bigint; platformId: string };
/** Where a list goes on, in any order. */
export type ListPosition = MemberPosition & { lastAwardAt: Date | null };
/**
 * In the order by XP, only those on the leaderboard. `prefix`, in the order of platformIds: only those that begin with
 * it. `idleSince`: only those whose newest award is before it, or who have none; a page in the order by XP or by
 * platformId then looks through a bounded number of members, and may be short or empty although there are more.
 */
export type MemberPage = {
  sort: MemberSort;
  limit: number;
  after: ListPosition | null;
  prefix?: string;
  idleSince?: Date | null;
};

export type HoldersPage = Limited<MemberPosition>;

/** Members with a membership who have the same appointment and have reached the same number of thresholds. */
export type MemberGroup = { appointedRank: string | null; reached: number; members: number };

/**
 * `outdated`: members whose documents an older version wrote, or something else has changed. Their items are readable,
 * but not right.
 */
export type StoredPage = Page<Member, ListPosition> & { outdated: MemberRef[] };

export type MemberStore = {
  read(member: MemberRef): Promise<Member | null>;
  /** Those of these members of whom anything is stored, by platformId. */
  readMany(clanId: string, platformIds: readonly string[]): Promise<ReadonlyMap<string, Member>>;
  /**
   * The members of a clan who have a membership, grouped by appointment and by how many of these thresholds (ascending)
   * they have reached.
   */
  countGroups(clanId: string, thresholds: readonly bigint[]): Promise<MemberGroup[]>;
  list(clanId: string, page: MemberPage): Promise<StoredPage>;
  /**
   * The members on the leaderboard who have a rank, in its order. A page looks through a bounded number of members, and
   * may be short or empty although there are more.
   */
  listHolders(clanId: string, holders: RankHolders, page: HoldersPage): Promise<StoredPage>;
  /**
   * A part of the leaderboard: the member, `floor((limit - 1) / 2)` above and the rest below; fewer on one side are made
   * up on the other. Null: the member is not on it.
   */
  listAround(clanId: string, around: { platformId: string; limit: number }): Promise<StoredPage | null>;
  count(clanId: string): Promise<number>;
  /** Those whose newest award is before this time, or who have none: at most this number. */
  countIdle(clanId: string, idleSince: Date, max: number): Promise<number>;
  /** Their approximate number, in all clans. */
  estimate(): Promise<number>;
};

/** Members in an order by XP, of a clan or of something else that `id` names. Throws AppError `unavailable`. */
export type OrderStore<Place extends { xp: bigint }> = {
  /** Their XP, beginning with this member; null: with the first one. */
  listXp(id: string, part: { from: Place | null; limit: number }): Promise<bigint[]>;
  /** The member that comes so many after this one, or after the first one (null). Null: there are fewer. */
  skip(id: string, from: Place | null, members: number): Promise<Place | null>;
};

/** The members on a clan's leaderboard, in its order. */
export type LeaderboardStore = OrderStore<MemberPosition> & {
  total(clanId: string): Promise<Omit<Totals, "asOf">>;
};

/** Reads the entries of one member for a chart. Throws AppError `unavailable`. */
export type XpHistoryStore = {
  /** The oldest and the newest entry; null if there are none. */
  ends(member: MemberRef): Promise<Record<"first" | "last", { seq: number; at: Date }> | null>;
  /** The last entry before this time, or the first one, found between two numbers. */
  seqBefore(member: MemberRef, search: { at: Date; first: number; last: number }): Promise<number>;
  /**
   * The highest and the last XP of each span with an entry, of the entries with these numbers. Entries before `from`
   * are in span -1.
   */
  highest(
    member: MemberRef,
    entries: { fromSeq: number; toSeq: number; from: Date; spanMs: number },
  ): Promise<{ span: number; highest: bigint; last: bigint }[]>;
};

/** The position of an entry in its clan. */
export type EntryPosition = { platformId: string; seq: number };

export type EntryPage = { limit: number; beforeSeq: number | null; kind?: EntryKind };

export type LedgerReader = {
  /**
   * Newest first, starting below `beforeSeq`. `kind`: only entries of it; a page then looks through a bounded number of
   * entries, and may be empty although there are older ones.
   */
  listOfMember(member: MemberRef, page: EntryPage): Promise<Page<Entry, number>>;
  /**
   * By key, the `seq` of those entries of these members that have one of these keys. Each key names one entry of the
   * clan.
   */
  findByKeys(
    clanId: string,
    by: { platformIds: readonly string[]; keys: readonly string[] },
  ): Promise<ReadonlyMap<string, number>>;
  /** A clan's entries by platformId, then seq. */
  listOfClan(clanId: string, page: { limit: number; after: EntryPosition | null }): Promise<Page<Entry, EntryPosition>>;
  /** How many entries a clan has. */
  count(clanId: string): Promise<number>;
};

/**
 * Awards that meet all conditions; null: there is none. `platformIds`: of these members. `by`: of an API key or a person.
 * `reason`: contains this text, ignoring case. `atLeast`: gave so much XP. `from` is inclusive, `to` exclusive.
 */
export type AwardFilter = {
  platformIds: readonly string[] | null;
  by: { keyId: string } | { actor: string } | null;
  matchId: string | null;
  reason: string | null;
  atLeast: bigint | null;
  from: Date | null;
  to: Date | null;
};

/** Where a list of awards goes on: after this entry, or before this time. */
export type AwardPosition = { at: Date; entry: EntryPosition | null };

/** Throws AppError `unavailable`. */
export type AwardList = {
  /**
   * Awards of a clan, the newest first. A page looks at `examined` entries at most, and may be short or empty although
   * there are older ones.
   */
  page(
    clanId: string,
    filter: AwardFilter,
    page: Limited<AwardPosition> & { examined: number },
  ): Promise<Page<Entry, AwardPosition>>;
  /** The people who have changed members of the clan, by name. */
  people(clanId: string, limit: number): Promise<string[]>;
};
