// What boards need from the outside. Everything throws AppError `unavailable`; changes by people also `outcome_unknown`.
import type { Actor } from "#domain/audit.ts";
import type { Board } from "#domain/board.ts";
import type { Clan } from "#domain/clan.ts";
import type { ChangeCounts, PeriodResult } from "#domain/event.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Page } from "#domain/page.ts";
import type { Period, Span } from "#domain/period.ts";
import type { CountedEntry, Standing } from "#domain/standing.ts";

/**
 * `uid`: unlike its id, never used again. `coveredTo`: the end of its last stored period; null for seasons. `asOf`:
 * every award that was acknowledged before is counted.
 */
export type StoredBoard = Board & { uid: string; createdAt: Date; coveredTo: Date | null; asOf: Date };

/**
 * `rows` names its standings, which were begun at `begunAt`; others are never read. `countedAt`: when the count from the
 * ledger began that found all earlier entries; null: they are not counted yet. `members`: of a final period. `isSilent`:
 * its end causes no event.
 */
export type StoredPeriod = Period & {
  boardUid: string;
  boardId: string;
  rows: string;
  begunAt: Date;
  countedAt: Date | null;
  members: number | null;
  isSilent: boolean;
};

/** `now`: MongoDB's time. */
export type ClanBoards = { boards: StoredBoard[]; now: Date };

/** What a change of a board makes of it, with new periods. */
export type BoardChange = {
  action: "board.set" | "board.season";
  board: Board;
  spans: readonly Span[];
  coveredTo: Date | null;
};

export type BoardRef = { clanId: string; boardId: string };

export type BoardStore = {
  /** A clan's boards by id; null: there is no such clan. */
  read(clanId: string): Promise<ClanBoards | null>;
  /**
   * Changes or makes a board, with an audit record. `decide` receives the clan's boards, this one, and its seasons, in
   * the transaction of the change. Null: there is no such clan.
   */
  change<Rejection>(
    board: BoardRef,
    decide: (
      found: ClanBoards & { board: StoredBoard | null; seasons: readonly Span[] },
    ) => BoardChange | { rejected: Rejection },
    by: Actor,
  ): Promise<StoredBoard | { rejected: Rejection } | null>;
  /** Null: there is none. */
  remove(board: BoardRef, by: Actor): Promise<StoredBoard | null>;
  /** Everything acknowledged before is counted in these boards. An earlier time changes nothing. */
  noteAsOf(boards: readonly BoardRef[], asOf: Date): Promise<void>;
  /** Clans with boards whose next period has begun, or with periods that are not counted or whose `finalAt` has passed. */
  clansDue(): Promise<string[]>;
};

export type PeriodStore = {
  /** Of these boards, those that are not final, in order. */
  listOpen(boards: readonly StoredBoard[]): Promise<StoredPeriod[]>;
  /** Stores periods that follow the board's last one, unless another process has. `isCounted`: no entry is older. */
  extend(board: StoredBoard, spans: readonly Span[], options: { now: Date; isCounted: boolean }): Promise<void>;
  /** The newest first. `until`: those that have begun by then. */
  list(boardUid: string, page: { limit: number; before: string | null; until: Date }): Promise<StoredPeriod[]>;
  read(boardUid: string, periodId: string): Promise<StoredPeriod | null>;
  /** The newest that has begun by this time, or has ended by then. */
  newest(boardUid: string, by: { begun: Date } | { ended: Date }): Promise<StoredPeriod | null>;
  /** The first that begins later. */
  next(boardUid: string, after: Date): Promise<StoredPeriod | null>;
  noteCounted(periods: readonly StoredPeriod[], countedAt: Date): Promise<void>;
  /** Discards the standings of these periods, unless they are final or another process has. */
  renew(periods: readonly StoredPeriod[]): Promise<void>;
  /**
   * Returns a name for the final standings of the period, which are deleted unless it is finished with them. Null: it
   * is final, or its standings were discarded since.
   */
  beginFinal(period: StoredPeriod): Promise<string | null>;
  /**
   * Makes the period final with these standings, discards the others, and notes its event, if it has a result.
   * `previous`: the period before. False: it is final, or its standings or these were discarded since.
   */
  finish(
    period: StoredPeriod,
    final: {
      clanId: string;
      rows: string;
      members: number;
      previous: StoredPeriod | null;
      result: Pick<PeriodResult, "summary" | "board"> | null;
    },
  ): Promise<boolean>;
};

/** The events of members in a span of time. Throws AppError `unavailable`. */
export type CountChanges = (
  clan: Pick<Clan, "clanId" | "ranks">,
  span: { from: Date; to: Date },
) => Promise<ChangeCounts>;

/** In the order of a period: XP, then `reachedAt`, then platformId. */
export type StandingPlace = { xp: bigint; reachedAt: Date; platformId: string };
/** `position`: stored with a final period; of others it is derived from the order. */
export type MemberStanding = Standing & { platformId: string; position: number | null };
export type PlacedStanding = StandingPlace & { position: number };

/** A standing of one member, as it is to be stored. */
export type StandingWrite = { rows: string; member: MemberRef; standing: Standing };

export type StandingStore = {
  /** By platformId, then `rows`. */
  read(
    standings: readonly { rows: string; platformId: string }[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, MemberStanding>>>;
  /**
   * Stores those that contain later entries than what is stored. `isWhole`: they were counted from the ledger, and also
   * replace what contains the same last entry: others may have counted it without those before.
   */
  write(writes: readonly StandingWrite[], options: { isWhole: boolean }): Promise<void>;
  /** Those on the board, in order. */
  list(
    rows: string,
    page: { limit: number; after: StandingPlace | null },
  ): Promise<Page<MemberStanding, StandingPlace>>;
  listAround(
    rows: string,
    around: { platformId: string; limit: number },
  ): Promise<Page<MemberStanding, StandingPlace> | null>;
  /** Of all, also of members who are not on the board. */
  sum(rows: string): Promise<{ awards: number; xp: bigint }>;
  /** Copies final standings. */
  insertFinal(rows: string, clanId: string, standings: readonly (Standing & PlacedStanding)[]): Promise<void>;
  /** The platformIds of all, in groups. */
  listMembers(rows: string): AsyncIterable<string[]>;
};

/** A member whose projected head has entries that boards have not counted: those after `counted`, up to `seq`. */
export type DueMember = { platformId: string; counted: number; seq: number };

/** Throws AppError `unavailable`. */
export type StandingUpkeep = {
  /** Of final periods that are older than this, deletes at most `limit` standings beyond those that are stored for ever. */
  deleteOld(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** Deletes standings that were discarded this long ago, and the periods of removed boards. */
  deleteDiscarded(olderThanMs: number): Promise<number>;
};

/** Deletes a person's standings, in one clan or all (null), also those that no period names. False: there were none. */
export type EraseStandings = (target: { clanId: string | null; platformId: string }) => Promise<boolean>;

export type UncountedEntries = {
  listDue(clanId: string, limit: number): Promise<DueMember[]>;
  /** These entries of each member, in order; a member who is being erased has none. */
  readEntries(clanId: string, members: readonly DueMember[]): Promise<ReadonlyMap<string, readonly CountedEntry[]>>;
  /** By platformId, the number up to which the entries of these members are counted, as far as they are projected. */
  readCounted(clanId: string, platformIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** At most so many entries of the member from this one on, in order; none of a member who is being erased. */
  readChain(member: MemberRef, part: { from: number; limit: number }): Promise<readonly CountedEntry[]>;
  /** Nothing up to `seq` is left to count, unless another process has said so since. */
  settle(clanId: string, members: readonly DueMember[]): Promise<void>;
};
