// Deletes the content of events: by age, and of members who are erased.
//
// Invariant: an erased event keeps its number and its id, so that positions of readers stay valid. What is deleted by
// age is the beginning of a chain, and never its newest event, whose number the next one continues.
import type { mongo } from "mongoose";
import { memberSubject } from "#domain/change-ref.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Database } from "#store/database.ts";
import { between, endmost, MAJORITY } from "#store/events/positions.ts";
import type { EventDoc } from "#store/events/event-model.ts";
import { makePeriodResults } from "#store/events/period-results.ts";
import { namingText } from "#store/filters.ts";
import type { EntryDoc } from "#store/ledger/entry-model.ts";
import { read, rewrite } from "#store/mongo-calls.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import type { EventErasure, EventRetention } from "#usecases/events/ports.ts";

const CONTENT = { $unset: { type: "", subject: "", seq: "", data: "" } } as const;

export function makeEventUpkeep({ db }: Pick<Database, "db">): EventRetention & EventErasure {
  const events = (): mongo.Collection<EventDoc> => db().collection<EventDoc>("events");
  const results = makePeriodResults({ db });

  return {
    nextClan: (after) =>
      read(async () => {
        const filter = after === null ? {} : { _id: { $gt: { clanId: after, n: Infinity } } };
        const doc = await events().findOne(filter, { sort: { _id: 1 }, projection: { _id: 1 } });
        return doc?._id.clanId ?? null;
      }),

    deleteOld: (clanId, { olderThanMs, limit }) =>
      rewrite(async () => {
        const old = { at: { $lt: await mongoTimeAgo({ db }, olderThanMs) } };
        const inOrder = { projection: { _id: 1 }, sort: { _id: 1 } } as const;
        const firstYoung = await events().findOne({ ...between(clanId, 0, Infinity), $nor: [old] }, inOrder);
        const firstKept = firstYoung ?? (await endmost(events(), clanId, -1));
        if (!firstKept) return 0;
        const docs = await events()
          .find(between(clanId, 0, firstKept._id.n - 1), { ...inOrder, limit })
          .toArray();
        const last = docs.at(-1);
        if (last) await events().deleteMany(between(clanId, 0, last._id.n));
        else if (!firstYoung) {
          const withContent = { _id: firstKept._id, type: { $exists: true }, ...old };
          await events().updateOne(withContent, { ...CONTENT, $set: { aged: true } });
        }
        return docs.length;
      }),

    eraseUnnumbered: results.eraseUnnumbered,

    listWithoutEntry: (member) =>
      read(async () => {
        const [named, found, entries] = await Promise.all([
          results.listNaming(member),
          events()
            .find(ofMember(member), { ...MAJORITY, projection: { _id: 0, eventId: 1, seq: 1, at: 1 } })
            .toArray(),
          db()
            .collection<EntryDoc>("ledger")
            .find(
              { "_id.clanId": member.clanId, "_id.platformId": member.platformId },
              { ...MAJORITY, projection: { at: 1 } },
            )
            .toArray(),
        ]);
        // By the time too: a new entry may have the number of one that was deleted.
        const existing = new Set(entries.map(({ _id, at }) => `${_id.seq} ${at.getTime()}`));
        const lost = found.filter(({ seq, at }) => !existing.has(`${seq} ${at.getTime()}`));
        return [...lost.map(({ eventId }) => eventId), ...named];
      }),

    async deleteContent(member, eventIds) {
      await rewrite(() => events().updateMany({ ...ofMember(member), eventId: { $in: [...eventIds] } }, CONTENT));
      await results.eraseFrom(member, eventIds);
    },

    async deleteReasons({ clanId, platformId }) {
      await rewrite(() =>
        events().updateMany(
          { ...(clanId === null ? {} : { "_id.clanId": clanId }), "data.reason": namingText(platformId) },
          { $unset: { "data.reason": "" } },
        ),
      );
    },
  };
}

function ofMember({ clanId, platformId }: MemberRef) {
  return { "_id.clanId": clanId, subject: memberSubject(platformId) };
}
