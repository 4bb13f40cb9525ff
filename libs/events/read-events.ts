// Reads a clan's events after a position, and waits for one if there is none.
//
// Waiting calls look at the same moments, and share their reads (share-looks.ts).
import { logFailures } from "#async/failures.ts";
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import { EVENTS_EXAMINED_MAX, LAST_LOOK_MS, LOOK_EVERY_MS, UNSIGNALLED_LOOK_EVERY_MS } from "#events/bounds.ts";
import type { EventFeed, EventPosition, EventSignal, EventsRead, EventWatch } from "#events/ports.ts";
import { makeShareLooks, type EventFilter } from "#events/share-looks.ts";
import { makeWaitingPlaces } from "#events/waiting-places.ts";

export type EventsRequest = EventFilter & {
  /** The key of the caller, of whose calls a limited number may wait. */
  keyId: string;
  from: EventPosition | "oldest" | "now";
  /** The event to read on after, instead: one of a page that was read from there. */
  past: string | null;
  waitMs: number;
  /** Aborts once the caller has disconnected. */
  gone: AbortSignal;
};

/** Throws AppError `cursor_expired` or `unavailable`. */
export type ReadEvents = (request: EventsRequest) => Promise<EventsRead>;

type ReadEventsDeps = {
  feed: EventFeed;
  signal: EventSignal;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
  /** Once it is aborted, no call waits any longer: the process is about to exit. */
  stopping: AbortSignal;
};

export function makeReadEvents(deps: ReadEventsDeps): ReadEvents {
  const { feed, signal } = deps;
  const waiting = makeWaitingPlaces();
  const waitForMore = makeWaitForMore(deps);

  return async function readEvents({ keyId, from, past, waitMs, gone, ...filter }) {
    const { clanId } = filter;
    if (from === "now") return { events: [], reached: await feed.end(clanId), hasMore: false };
    const after = past === null || from === "oldest" ? from : existing(await locate(clanId, from, past));
    if (waitMs === 0) return existing(await readFrom(feed, after, filter));
    // Before the read, so that nothing is missed in between.
    const watch = signal.watch(clanId);
    const noPlace = new AbortController();
    const place = { clanId, keyId, end: () => noPlace.abort() };
    const ended = AbortSignal.any([gone, noPlace.signal]);
    ended.addEventListener("abort", watch.wake);
    try {
      const first = existing(await readFrom(feed, after, filter));
      if (isAnswer(first) || !waiting.take(place)) return first;
      try {
        return await waitForMore(first, { filter, watch, waitMs, ended });
      } finally {
        waiting.leave(place);
      }
    } finally {
      watch.end();
    }
  };

  function locate(clanId: string, { n }: EventPosition, eventId: string): Promise<EventPosition | null> {
    return feed.locate(clanId, n, { eventId, within: EVENTS_EXAMINED_MAX });
  }
}

/** `ended`: there is nobody who waits, or the place is another call's. */
type Waiting = { filter: EventFilter; watch: EventWatch; waitMs: number; ended: AbortSignal };

function makeWaitForMore({ feed, signal, clock, log, stopping }: ReadEventsDeps) {
  const shareLooks = makeShareLooks(feed);
  const failed = logFailures(log, "event.read_failed");

  /** A failed look is repeated at the next one: what is known is progress, and a valid response. */
  return async function waitForMore(first: EventsRead, { filter, watch, waitMs, ended }: Waiting): Promise<EventsRead> {
    const endMs = clock.monotonicMs() + waitMs;
    let known = first;
    for (let leftMs = waitMs; leftMs > 0 && !isAnswer(known); leftMs = endMs - clock.monotonicMs()) {
      const everyMs = signal.isConnected() ? LOOK_EVERY_MS : UNSIGNALLED_LOOK_EVERY_MS;
      await watch.wait(Math.min(everyMs - (clock.monotonicMs() % everyMs), leftMs));
      if (stopping.aborted || ended.aborted) break;
      try {
        const look = shareLooks({ ...filter, after: known.reached });
        const lookMs = Math.max(endMs - clock.monotonicMs(), 0) + LAST_LOOK_MS;
        known = existing(await withTimeout(look, lookMs, late));
      } catch (error) {
        if (error instanceof AppError && error.code === "cursor_expired") throw error;
        failed(error, { clanId: filter.clanId });
      }
    }
    return known;
  };
}

function late(): AppError {
  return new AppError("unavailable", "The events could not be read in time.");
}

function readFrom(feed: EventFeed, after: EventPosition | "oldest", filter: EventFilter): Promise<EventsRead | null> {
  const { clanId, types, limit } = filter;
  return feed.readAfter(clanId, after, { types, limit, examined: EVENTS_EXAMINED_MAX });
}

/** A read that ended because it had examined enough is given, too: its position is progress. */
function isAnswer({ events, hasMore }: EventsRead): boolean {
  return events.length > 0 || hasMore;
}

function existing<Found>(found: Found | null): Found {
  if (found) return found;
  throw new AppError(
    "cursor_expired",
    "The events after this cursor are not stored any more, or a restored backup has undone them. Read the members, then go on with after=now; or leave out after to read from the oldest stored event.",
  );
}
