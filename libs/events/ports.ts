// What events need from the outside: the changes whose events have no numbers yet, and the chain of numbered events of
// each clan. Everything throws AppError `unavailable`.
import type { Announced, Entry } from "#domain/entry.ts";
import type { ChangeRef } from "#domain/change-ref.ts";
import type { ClanEvent, EventBody, EventType } from "#domain/event.ts";
import type { Head } from "#domain/head.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Page } from "#domain/page.ts";

/**
 * A committed change whose events have no numbers yet: the record of the change has a flag, which nothing else has to
 * be written for. `before`: the member's head before a change of the membership or the appointment; null if it is not
 * known.
 */
export type UnnumberedChange = { ref: ChangeRef } & (
  | { kind: "entry"; entry: Entry; announced: Announced; before: Head | null }
  | { kind: "other"; event: EventBody }
);

/** `hasOthers`: changes other than those of members. */
export type UnnumberedClan = { clanId: string; hasOthers: boolean };

export type UnnumberedChanges = {
  /** At most `limit` clans that have any, in the order of their ids, after this one. */
  clans(after: string | null, limit: number): Promise<UnnumberedClan[]>;
  /**
   * At most `limit` that a majority holds. Those of members come first, in the order of (member, seq), from the member
   * after `afterMember` on.
   */
  list(clan: UnnumberedClan, options: { afterMember: string | null; limit: number }): Promise<UnnumberedChange[]>;
  /**
   * Their events have numbers, which a majority holds. `end`: as read before; nothing is changed after an interruption.
   * If this is undone, they are listed once more.
   */
  settle(changes: readonly UnnumberedChange[], end: ChainEnd): Promise<void>;
};

/** An event of a change, before it has a number. */
export type NewEvent = EventBody & { eventId: string; ref: ChangeRef };

/** It takes a number, and no reader sees it: a process that read the newest number before has to read again. */
export type UnseenEvent = { eventId: string; at: Date; type?: undefined };

/**
 * `n`: the number of a clan's newest event; 0 if there is none. `interruptions`: see ProcessStore; after another one, a
 * restored backup may have undone it.
 */
export type ChainEnd = { n: number; interruptions: number };

export type ChainAddition = { clanId: string; end: ChainEnd; events: readonly (NewEvent | UnseenEvent)[] };

export type EventChain = {
  /** The clan's newest event that a majority holds. */
  newest(clanId: string): Promise<ChainEnd>;
  /** Which events of these changes a majority holds, by their names (nameOfEvent). */
  listNumbered(clanId: string, refs: readonly ChangeRef[]): Promise<ReadonlySet<string>>;
  /**
   * Stores the events of each clan with the numbers after its `end`, in this order, until a majority holds them. Returns
   * how many are stored. If another process was faster, or connections were interrupted since `newest`, the others are
   * not, and what was read after `newest` is void. If it throws, some of them may be stored.
   */
  append(additions: readonly ChainAddition[]): Promise<number>;
};

/** Where a reader is: after event `n`, whose id is `eventId`; 0 and "" before the first one. */
export type EventPosition = { n: number; eventId: string };

/** `reached`: the reader has passed everything up to it. `hasMore`: there are events after it, of whatever type. */
export type EventsRead = { events: ClanEvent[]; reached: EventPosition; hasMore: boolean };

export type EventFeed = {
  /**
   * At most `limit` events of these types after the position, in order; at most `examined` events are looked at. Null:
   * the position is not in the chain, because it is older than what is stored, or a restored backup has undone it.
   */
  readAfter(
    clanId: string,
    after: EventPosition | "oldest",
    options: { types: readonly EventType[]; limit: number; examined: number },
  ): Promise<EventsRead | null>;
  /** The position after this event, which is one of the next `within` after `n`; null if it is not. */
  locate(clanId: string, n: number, event: { eventId: string; within: number }): Promise<EventPosition | null>;
  /** The position after the newest event. */
  end(clanId: string): Promise<EventPosition>;
  /** The number of the oldest stored event; 0 if there is none. */
  oldest(clanId: string): Promise<number>;
  /** The position before the first event at or after this time, as far as it is stored; the end if there is none. */
  before(clanId: string, time: Date): Promise<EventPosition | "oldest">;
  /** Events by their numbers; those whose content was deleted are absent. */
  readAt(clanId: string, numbers: readonly number[]): Promise<ReadonlyMap<number, ClanEvent>>;
  /** Those of these numbers whose content was deleted because of an erasure, not by age. */
  listErased(clanId: string, numbers: readonly number[]): Promise<ReadonlySet<number>>;
};

/** Watches one clan. What is noticed while nobody waits ends the next wait. */
export type EventWatch = {
  /** Resolves when the clan has new events, after `timeoutMs` or at `wake`, whichever is first. */
  wait(timeoutMs: number): Promise<void>;
  wake(): void;
  end(): void;
};

/** Notices new events of clans. It may miss some: readers look now and then on their own. */
export type EventSignal = {
  watch(clanId: string): EventWatch;
  /** Whether it may notice anything now. */
  isConnected(): boolean;
};

export type EventRetention = {
  /**
   * The first clan after this one, in the order of their ids, that has events; `hasOld`: its oldest one is older than
   * this by MongoDB's clock, and more than the number of the newest one.
   */
  nextClan(after: string | null, options: { olderThanMs: number }): Promise<{ clanId: string; hasOld: boolean } | null>;
  /**
   * Deletes at most `limit` of the clan's oldest events, those before the first one that is younger than this by
   * MongoDB's clock, and returns how many. Of the newest event, the number stays.
   */
  deleteOld(clanId: string, options: { olderThanMs: number; limit: number }): Promise<number>;
};

export type EventErasure = {
  /** Deletes the member from results of periods whose events have no numbers yet. */
  eraseUnnumbered(member: MemberRef): Promise<void>;
  /**
   * In groups, the results of periods that name the member, and the member's events whose entries do not exist (any
   * more).
   */
  listWithoutEntry(member: MemberRef): AsyncIterable<EventPosition[]>;
  /** Deletes the content of these events of the member, and the member from these results of periods. */
  deleteContent(member: MemberRef, positions: readonly EventPosition[]): Promise<void>;
  /** Deletes reasons that name the member from events of other members. */
  deleteReasons(target: { clanId: string | null; platformId: string }): Promise<void>;
};

/** A change without a flag, and the types of the events that follow from it. */
export type SettledChange = { ref: ChangeRef; types: readonly EventType[]; announced: Announced };

export type EventRepair = {
  /**
   * In groups, those since this time that have events, but none older than the oldest stored event if earlier ones were
   * deleted. `everyEntry`: each entry has an event. Imported entries have none.
   */
  listSettled(clanId: string, options: { since: Date; everyEntry: boolean }): AsyncIterable<SettledChange[]>;
  /** Their events have no numbers any more. */
  flag(clanId: string, changes: readonly SettledChange[]): Promise<void>;
};

export type EventList = {
  /**
   * At most `limit` events of these types with numbers below `before`, the newest first. `next`: the number below which
   * to continue, null at the end of the list; a page may then be empty, because at most `examined` events are looked at.
   * `search`: events of members whose platformIds begin with `prefix`, and of these.
   */
  page(
    clanId: string,
    options: {
      types: readonly EventType[];
      search: { prefix: string | null; platformIds: readonly string[] } | null;
      before: number | null;
      limit: number;
      examined: number;
    },
  ): Promise<Page<ClanEvent, number>>;
};
