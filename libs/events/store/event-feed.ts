// Reads the events of a clan from a position on, for everybody who follows it.
import type { Collection } from "mongodb";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { eventOfDoc, type EventDoc } from "#events/store/event-model.ts";
import { between, endmost, POSITION, positionOf } from "#events/store/positions.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { EventFeed, EventPosition } from "#events/ports.ts";

// oxlint-disable-next-line eslint/max-lines-per-function -- reads of one collection, each a few lines
export function makeEventFeed({ db }: Pick<Database, "db">): EventFeed {
  const events = (): Collection<EventDoc> => db().collection<EventDoc>("events");

  async function positionAt(clanId: string, n: number): Promise<EventPosition | null> {
    const doc = await events().findOne({ _id: { clanId, n } }, { ...MAJORITY, projection: POSITION });
    return doc && positionOf(doc);
  }

  /** The number after which to read; null if the position is not in the chain. */
  async function numberOf(clanId: string, after: EventPosition | "oldest"): Promise<number | null> {
    if (after === "oldest" || after.n === 0) {
      const oldest = (await endmost(events(), clanId, 1))?._id.n ?? 1;
      return after === "oldest" || oldest === 1 ? oldest - 1 : null;
    }
    return (await positionAt(clanId, after.n))?.eventId === after.eventId ? after.n : null;
  }

  return {
    locate: (clanId, n, { eventId, within }) =>
      read(async () => {
        const filter = { ...between(clanId, n, n + within), eventId };
        const doc = await events().findOne(filter, { ...MAJORITY, projection: POSITION, maxTimeMS: ANSWER_MS_MAX });
        return doc && positionOf(doc);
      }),

    end: (clanId) => read(async () => positionOf(await endmost(events(), clanId, -1))),

    oldest: (clanId) => read(async () => (await endmost(events(), clanId, 1))?._id.n ?? 0),

    before: (clanId, time) =>
      read(async () => {
        const since = { ...between(clanId, 0, Infinity), at: { $gte: time } };
        const options = { ...MAJORITY, projection: POSITION, sort: { _id: 1 }, maxTimeMS: ANSWER_MS_MAX } as const;
        const first = await events().findOne(since, options);
        if (!first) return positionOf(await endmost(events(), clanId, -1));
        return (await positionAt(clanId, first._id.n - 1)) ?? "oldest";
      }),

    readAt: (clanId, numbers) =>
      read(async () => {
        const ids = numbers.map((n) => ({ clanId, n }));
        const docs = await events()
          .find({ _id: { $in: ids } }, MAJORITY)
          .toArray();
        const found = docs.flatMap((doc) => eventOfDoc(doc) ?? []);
        return new Map(found.map((event) => [event.n, event]));
      }),

    listErased: (clanId, numbers) =>
      read(async () => {
        const ids = numbers.map((n) => ({ clanId, n }));
        const erased = { _id: { $in: ids }, type: { $exists: false }, aged: { $exists: false } };
        const docs = await events()
          .find(erased, { ...MAJORITY, projection: POSITION })
          .toArray();
        return new Set(docs.map(({ _id }) => _id.n));
      }),

    readAfter: (clanId, after, { types, limit, examined }) =>
      read(async () => {
        const end = positionOf(await endmost(events(), clanId, -1));
        const from = await numberOf(clanId, after);
        if (from === null) return null;
        const to = Math.min(end.n, from + examined);
        const docs =
          to <= from
            ? []
            : await events()
                .find({ ...between(clanId, from, to), type: { $in: [...types] } }, MAJORITY)
                .sort({ _id: 1 })
                // One more, so that `hasMore` is right where the last event of these types was read.
                .limit(limit + 1)
                .toArray();
        const last = docs.length > limit ? docs[limit - 1] : undefined;
        const reached = last ? positionOf(last) : to >= end.n ? end : await positionAt(clanId, to);
        // Deleted by age since the end was read.
        if (!reached) return null;
        return {
          events: docs.slice(0, limit).flatMap((doc) => eventOfDoc(doc) ?? []),
          reached,
          hasMore: reached.n < end.n,
        };
      }),
  };
}
