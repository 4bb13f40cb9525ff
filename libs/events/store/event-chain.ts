// Each clan's chain of numbered events, to which workers append.
//
// Invariant: a reader with majority concern sees a prefix of the chain. Event n + 1 is sent after a majority holds n:
// `newest` reads with majority concern, and an ordered insert stores its documents in order.
import { nameOfEvent } from "#domain/change-ref.ts";
import type { Collection, Document } from "mongodb";
import { AppError } from "#kernel/app-error.ts";
import type { Database } from "#mongo/database.ts";
import { BY_CHANGE, type EventDoc } from "#events/store/event-model.ts";
import { endmost } from "#events/store/positions.ts";
import { DURABLE, MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { DUPLICATE_KEY } from "#mongo/mongo-errors.ts";
import type { EventChain, NewEvent, UnseenEvent } from "#events/ports.ts";

type InsertReply = { n: number; writeErrors?: { code: number; errmsg: string }[]; writeConcernError?: Document };

export function makeEventChain({ db, interruptions }: Pick<Database, "db" | "interruptions">): EventChain {
  const events = (): Collection<EventDoc> => db().collection<EventDoc>("events");

  return {
    newest: (clanId) =>
      read(async () => {
        // Counted before the read: an interruption during it shows, too.
        const seen = interruptions();
        return { n: (await endmost(events(), clanId, -1))?._id.n ?? 0, interruptions: seen };
      }),

    listNumbered: (clanId, refs) =>
      read(async () => {
        if (refs.length === 0) return new Set();
        const subjects = [...new Set(refs.map(({ subject }) => subject))];
        const seqs = [...new Set(refs.map(({ seq }) => seq))];
        const docs = await events()
          .find(
            // One scan of the index that jumps from one to the next. It also finds other changes of these members.
            { "_id.clanId": clanId, subject: { $in: subjects }, seq: { $in: seqs } },
            { ...MAJORITY, hint: BY_CHANGE, projection: { subject: 1, seq: 1, at: 1, type: 1, _id: 0 } },
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
        const reply = await db().command({ insert: "events", documents, ordered: true, ...DURABLE });
        return storedBy(reply as InsertReply);
      }),
  };
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
