// Reads on for calls that wait for events: most of them wait at the end of their clan's chain. Those at the same
// position share one read of all their types, of which each gets its own, so that an event costs the same however many
// wait.
import { chunks } from "#async/chunks.ts";
import { coalesceReads } from "#async/coalesce-reads.ts";
import type { EventType } from "#domain/event.ts";
import { CALLS_WAITING_MAX, EVENTS_EXAMINED_MAX, SHARED_READS_AT_ONCE } from "#events/bounds.ts";
import type { EventFeed, EventPosition, EventsRead } from "#events/ports.ts";

/** What is read, apart from the position. */
export type EventFilter = { clanId: string; types: readonly EventType[]; limit: number };
type Look = EventFilter & { after: EventPosition };

/** Null: the position is not in the chain. */
export type ShareLooks = (look: Look) => Promise<EventsRead | null>;

export function makeShareLooks(feed: Pick<EventFeed, "readAfter">): ShareLooks {
  const readShared = coalesceReads({
    read: async (texts) => {
      const looks = texts.map((text) => ({ text, ...(JSON.parse(text) as Look) }));
      const shared = Map.groupBy(looks, ({ clanId, after }) => JSON.stringify([clanId, after]));
      const found = new Map<string, EventsRead | null>();
      for (const some of chunks([...shared.values()], SHARED_READS_AT_ONCE))
        await Promise.all(
          some.map(async (same) => {
            const read = await readFor(same);
            for (const { text, ...look } of same) found.set(text, read && partFor(look, read));
          }),
        );
      return found;
    },
    idsPerReadMax: CALLS_WAITING_MAX,
    waitingMax: CALLS_WAITING_MAX,
  });

  async function readFor(looks: readonly Look[]): Promise<EventsRead | null> {
    const [first] = looks;
    if (!first) return null;
    const types = [...new Set(looks.flatMap((look) => look.types))];
    // Without another limit: for each of them, it ends where it has examined enough.
    const [limit, examined] = [EVENTS_EXAMINED_MAX, EVENTS_EXAMINED_MAX];
    return await feed.readAfter(first.clanId, first.after, { types, limit, examined });
  }

  return async (look) => (await readShared(JSON.stringify(look))) ?? null;
}

/** What a read for this filter alone would have returned. */
function partFor({ types, limit }: EventFilter, { events, reached, hasMore }: EventsRead): EventsRead {
  const wanted = events.filter(({ type }) => types.includes(type));
  const last = wanted.length > limit ? wanted[limit - 1] : undefined;
  if (!last) return { events: wanted, reached, hasMore };
  return { events: wanted.slice(0, limit), reached: { n: last.n, eventId: last.eventId }, hasMore: true };
}
