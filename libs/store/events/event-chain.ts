// Each clan's chain of numbered events: appended to by workers, read by everybody.
//
// Invariant: a reader with majority concern sees a prefix of the chain. Event n + 1 is sent after a majority holds n:
// `newest` reads with majority concern, and an ordered insert stores its documents in order.
import { nameOfEvent } from "#domain/change-ref.ts";
import type { mongo } from "mongoose";
import { AppError } from "#domain/app-error.ts";
import type { Database } from "#store/database.ts";
import type { EventDoc } from "#store/events/event-model.ts";
import { eventOfDoc } from "#store/events/event-model.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { DUPLICATE_KEY } from "#store/mongo-errors.ts";
import type { EventChain, EventFeed, EventPosition, NewEvent, UnseenEvent } from "#usecases/events/ports.ts";

const MAJORITY = { readConcern: { level: "majority" } } as const;
const POSITION = { _id: 1, eventId: 1 } as const;
const BEGINNING: EventPosition = { n: 0, eventId: "" };

const DURABLE = { w: "majority", j: true } as const;
type InsertReply = { n: number; writeErrors?: { code: number; errmsg: string }[]; writeConcernError?: mongo.Document };
type Found = Pick<EventDoc, "_id" | "eventId">;

export function makeEventChain({ db, interruptions }: Pick<Database, "db" | "interruptions">): EventChain & EventFeed {
  const events = (): mongo.Collection<EventDoc> => db().collection<EventDoc>("events");

  function endmost(clanId: string, direction: 1 | -1): Promise<Found | null> {
    return events().findOne(between(clanId, 0, Infinity), {
      ...MAJORITY,
      sort: { _id: direction },
      projection: POSITION,
    });
  }

  async function positionAt(clanId: string, n: number): Promise<EventPosition | null> {
    const doc = await events().findOne({ _id: { clanId, n } }, { ...MAJORITY, projection: POSITION });
    return doc && positionOf(doc);
  }

  /** The number after which to read; null if the position is not in the chain. */
  async function numberOf(clanId: string, after: EventPosition | "oldest"): Promise<number | null> {
    if (after === "oldest" || after.n === 0) {
      const oldest = (await endmost(clanId, 1))?._id.n ?? 1;
      return after === "oldest" || oldest === 1 ? oldest - 1 : null;
    }
    return (await positionAt(clanId, after.n))?.eventId === after.eventId ? after.n : null;
  }

  return {
    newest: (clanId) =>
      read(async () => {
        // Counted before the read: an interruption during it shows, too.
        const seen = interruptions();
        return { n: (await endmost(clanId, -1))?._id.n ?? 0, interruptions: seen };
      }),

    listNumbered: (clanId, refs) =>
      read(async () => {
        if (refs.length === 0) return new Set();
        const docs = await events()
          .find(
            { "_id.clanId": clanId, $or: refs.map(({ subject, seq }) => ({ subject, seq })) },
            { ...MAJORITY, projection: { subject: 1, seq: 1, at: 1, type: 1, _id: 0 } },
          )
          .toArray();
        return new Set(docs.map(({ subject = "", seq = 0, at, type = "" }) => nameOfEvent({ subject, seq, at }, type)));
      }),

    append: (additions) =>
      rewrite(async () => {
        if (additions.some(({ end }) => end.interruptions !== interruptions())) return 0;
        const documents = additions.flatMap(({ clanId, end, events: added }) =>
          added.map((event, index) => docOf(clanId, end.n + 1 + index, event)),
        );
        // As a plain command, whose reply says how many were stored before one whose number was taken.
        const reply = await db().command({ insert: "events", documents, ordered: true, writeConcern: DURABLE });
        return storedBy(reply as InsertReply);
      }),

    locate: (clanId, n, { eventId, within }) =>
      read(async () => {
        const filter = { ...between(clanId, n, n + within), eventId };
        const doc = await events().findOne(filter, { ...MAJORITY, projection: POSITION });
        return doc && positionOf(doc);
      }),

    end: (clanId) => read(async () => positionOf(await endmost(clanId, -1))),

    readAfter: (clanId, after, { types, limit, examined }) =>
      read(async () => {
        const end = positionOf(await endmost(clanId, -1));
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

/** Events of a clan with a number above `after`, up to `to`. */
export function between(clanId: string, after: number, to: number) {
  return { _id: { $gt: { clanId, n: after }, $lte: { clanId, n: to } } };
}

function positionOf(doc: Found | null): EventPosition {
  return doc ? { n: doc._id.n, eventId: doc.eventId } : BEGINNING;
}

function storedBy({ n, writeErrors = [], writeConcernError }: InsertReply): number {
  const [failed] = writeErrors;
  if (writeConcernError || (failed && failed.code !== DUPLICATE_KEY))
    throw new AppError("unavailable", "MongoDB did not store events: try again shortly.", {
      cause: writeConcernError ?? failed,
    });
  return n;
}

function docOf(clanId: string, n: number, event: NewEvent | UnseenEvent): EventDoc {
  const { eventId } = event;
  if (event.type === undefined) return { _id: { clanId, n }, eventId, at: event.at };
  return { _id: { clanId, n }, eventId, type: event.type, ...event.ref, data: event.data };
}
