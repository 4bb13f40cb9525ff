// Reads a clan's events after a position, and waits for one if there is none.
//
// Waiting calls look at the same moments, and those at the same position share a read: most wait at the end of the
// chain.
import { coalesceReads } from "#async/coalesce-reads.ts";
import { withTimeout } from "#async/with-timeout.ts";
import { AppError } from "#domain/app-error.ts";
import type { EventType } from "#domain/event.ts";
import type { Clock, Log } from "#runtime/ports.ts";
import {
  CALLS_WAITING_MAX,
  CALLS_WAITING_PER_KEY_MAX,
  EVENTS_EXAMINED_MAX,
  LAST_LOOK_MS,
  LOOK_EVERY_MS,
  UNSIGNALLED_LOOK_EVERY_MS,
} from "#usecases/events/bounds.ts";
import type { EventFeed, EventPosition, EventSignal, EventsRead, EventWatch } from "#usecases/events/ports.ts";

export type EventsRequest = Filter & {
  /** The key of the caller, of whose calls a limited number may wait. */
  keyId: string;
  from: EventPosition | "oldest" | "now";
  /** The event to read on after, instead: one of a page that was read from there. */
  past: string | null;
  waitMs: number;
  /** Aborts once the caller has disconnected. */
  gone: AbortSignal;
};
/** What is read, apart from the position. */
type Filter = { clanId: string; types: readonly EventType[]; limit: number };

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
  const waiting = makePlaces();
  const waitForMore = makeWaitForMore(deps);

  return async function readEvents({ keyId, from, past, waitMs, gone, ...filter }) {
    const { clanId } = filter;
    if (from === "now") return { events: [], reached: await feed.end(clanId), hasMore: false };
    const after = past === null || from === "oldest" ? from : existing(await locate(clanId, from, past));
    if (waitMs === 0) return existing(await readFrom(feed, after, filter));
    // Before the read, so that nothing is missed in between.
    const watch = signal.watch(clanId);
    gone.addEventListener("abort", watch.wake);
    try {
      const first = existing(await readFrom(feed, after, filter));
      if (isAnswer(first) || !waiting.take(keyId)) return first;
      try {
        return await waitForMore(first, { filter, watch, waitMs, gone });
      } finally {
        waiting.leave(keyId);
      }
    } finally {
      watch.end();
    }
  };

  function locate(clanId: string, { n }: EventPosition, eventId: string): Promise<EventPosition | null> {
    return feed.locate(clanId, n, { eventId, within: EVENTS_EXAMINED_MAX });
  }
}

type Waiting = { filter: Filter; watch: EventWatch; waitMs: number; gone: AbortSignal };

function makeWaitForMore({ feed, signal, clock, log, stopping }: ReadEventsDeps) {
  const readShared = coalesceReads({
    read: async (requests) =>
      new Map(await Promise.all(requests.map(async (request) => [request, await readFor(request)] as const))),
    idsPerReadMax: CALLS_WAITING_MAX,
    waitingMax: CALLS_WAITING_MAX,
  });

  async function readFor(request: string): Promise<EventsRead | null> {
    const { after, ...filter } = JSON.parse(request) as Filter & { after: EventPosition };
    return await readFrom(feed, after, filter);
  }

  /** A failed look is repeated at the next one: what is known is progress, and a valid response. */
  return async function waitForMore(first: EventsRead, { filter, watch, waitMs, gone }: Waiting): Promise<EventsRead> {
    const endMs = clock.monotonicMs() + waitMs;
    let known = first;
    for (let leftMs = waitMs; leftMs > 0 && !isAnswer(known); leftMs = endMs - clock.monotonicMs()) {
      const everyMs = signal.isConnected() ? LOOK_EVERY_MS : UNSIGNALLED_LOOK_EVERY_MS;
      await watch.wait(Math.min(everyMs - (clock.monotonicMs() % everyMs), leftMs));
      if (stopping.aborted || gone.aborted) break;
      try {
        const look = readShared(JSON.stringify({ ...filter, after: known.reached }));
        const lookMs = Math.max(endMs - clock.monotonicMs(), 0) + LAST_LOOK_MS;
        known = existing((await withTimeout(look, lookMs, "The events could not be read")) ?? null);
      } catch (error) {
        if (error instanceof AppError && error.code === "cursor_expired") throw error;
        log.debug({ clanId: filter.clanId, err: error }, "event.read_failed");
      }
    }
    return known;
  };
}

function readFrom(feed: EventFeed, after: EventPosition | "oldest", filter: Filter): Promise<EventsRead | null> {
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

/** The places of waiting calls. */
function makePlaces(): { take(keyId: string): boolean; leave(keyId: string): void } {
  const byKey = new Map<string, number>();
  let all = 0;
  return {
    take(keyId) {
      const ofKey = byKey.get(keyId) ?? 0;
      if (all >= CALLS_WAITING_MAX || ofKey >= CALLS_WAITING_PER_KEY_MAX) return false;
      byKey.set(keyId, ofKey + 1);
      all += 1;
      return true;
    },
    leave(keyId) {
      const left = (byKey.get(keyId) ?? 1) - 1;
      if (left > 0) byKey.set(keyId, left);
      else byKey.delete(keyId);
      all -= 1;
    },
  };
}
