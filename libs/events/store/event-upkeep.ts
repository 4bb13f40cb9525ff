// Deletes the content of events: by age, and of members who are erased.
//
// Invariant: an erased event keeps its number and its id, so that positions of readers stay valid. What is deleted by
// age is the beginning of a chain, and never its newest event, whose number the next one continues.
import type { Collection } from "mongodb";
import { memberSubject } from "#domain/change-ref.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Database } from "#mongo/database.ts";
import { EVENTS_PER_ERASURE } from "#mongo/bounds.ts";
import { between, endmost, positionOf } from "#events/store/positions.ts";
import { BY_CHANGE, BY_REASON, type EventDoc } from "#events/store/event-model.ts";
import { makePeriodResults } from "#events/store/period-results.ts";
import { namingText } from "#mongo/filters.ts";
import { amongIds, BY_ID } from "#ledger/store/ledger-filters.ts";
import type { EntryDoc } from "#ledger/store/entry-model.ts";
import { groupsOf, MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { ageOf, mongoTimeAgo } from "#mongo/mongo-time.ts";
import type { EventErasure, EventPosition, EventRetention } from "#events/ports.ts";

const CONTENT = { $unset: { type: "", subject: "", seq: "", data: "" } } as const;

export function makeEventUpkeep({ db }: Pick<Database, "db">): EventRetention & EventErasure {
  return { ...makeEventRetention({ db }), ...makeEventErasure({ db }) };
}

function makeEventRetention({ db }: Pick<Database, "db">): EventRetention {
  const events = (): Collection<EventDoc> => db().collection<EventDoc>("events");

  return {
    nextClan: (after, { olderThanMs }) =>
      read(async () => {
        const behind = after === null ? {} : { _id: { $gt: { clanId: after, n: Infinity } } };
        const [oldest, second] = await events()
          .find<Pick<EventDoc, "_id" | "type"> & { ageMs: bigint }>(behind, {
            sort: { _id: 1 },
            limit: 2,
            projection: { type: 1, ageMs: ageOf("at") },
          })
          .toArray();
        if (!oldest) return null;
        const { clanId } = oldest._id;
        const isEmpty = oldest.type === undefined && second?._id.clanId !== clanId;
        return { clanId, hasOld: !isEmpty && oldest.ageMs > olderThanMs };
      }),

    deleteOld: (clanId, { olderThanMs, limit }) =>
      rewrite(async () => {
        const [oldest, newest] = [await endmost(events(), clanId, 1), await endmost(events(), clanId, -1)];
        if (!oldest || !newest) return 0;
        const old = { at: { $lt: await mongoTimeAgo({ db }, olderThanMs) } };
        const firstN = oldest._id.n;
        // Times are only roughly in order: the clocks of processes differ, and a repair adds old events behind young
        // ones. So each event is looked at, once before it is deleted, which costs a tenth of deleting it.
        const step = between(clanId, firstN - 1, firstN - 1 + limit);
        const firstYoung = await events().findOne(
          { ...step, $nor: [old] },
          { sort: { _id: 1 }, projection: { _id: 1 } },
        );
        const keptN = Math.min(firstYoung?._id.n ?? firstN + limit, newest._id.n);
        if (keptN > firstN) await events().deleteMany(between(clanId, 0, keptN - 1));
        if (!firstYoung && keptN === newest._id.n) {
          const withContent = { _id: newest._id, type: { $exists: true }, ...old };
          await events().updateOne(withContent, { ...CONTENT, $set: { aged: true } });
        }
        return keptN - firstN;
      }),
  };
}

function makeEventErasure({ db }: Pick<Database, "db">): EventErasure {
  const events = (): Collection<EventDoc> => db().collection<EventDoc>("events");
  const results = makePeriodResults({ db });

  async function withoutEntry(member: MemberRef, found: readonly EventDoc[]): Promise<EventPosition[]> {
    const ids = [...new Set(found.map(({ seq = 0 }) => seq))].map((seq) => ({ ...member, seq }));
    const options = { ...MAJORITY, hint: BY_ID, projection: { at: 1 } } as const;
    const ledger = db().collection<EntryDoc>("ledger");
    const entries = await read(() => ledger.find(amongIds(ids), options).toArray());
    // By the time too: a new entry may have the number of one that was deleted.
    const existing = new Set(entries.map(({ _id, at }) => `${_id.seq} ${at.getTime()}`));
    return found.filter(({ seq, at }) => !existing.has(`${seq} ${at.getTime()}`)).map(positionOf);
  }

  return {
    eraseUnnumbered: results.eraseUnnumbered,

    async *listWithoutEntry(member) {
      let named = await results.listNaming(member);
      const options = { ...MAJORITY, hint: BY_CHANGE, projection: { eventId: 1, seq: 1, at: 1 } } as const;
      const cursor = events().find(ofMember(member), { ...options, batchSize: EVENTS_PER_ERASURE });
      for await (const found of groupsOf(cursor)) {
        yield [...(await withoutEntry(member, found)), ...named];
        named = [];
      }
      yield named;
    },

    async deleteContent(member, positions) {
      const among = {
        _id: { $in: positions.map(({ n }) => ({ clanId: member.clanId, n })) },
        eventId: { $in: positions.map(({ eventId }) => eventId) },
      };
      await rewrite(() => events().updateMany({ ...among, ...ofMember(member) }, CONTENT, { hint: BY_ID }));
      await results.eraseFrom(member, among);
    },

    async deleteReasons({ clanId, platformId }) {
      const naming = { ...(clanId === null ? {} : { "_id.clanId": clanId }), "data.reason": namingText(platformId) };
      const options = { projection: { _id: 1 }, limit: EVENTS_PER_ERASURE, hint: BY_REASON } as const;
      for (let found = -1; found !== 0;) {
        found = await rewrite(async () => {
          const ids = (await events().find(naming, options).toArray()).map(({ _id }) => _id);
          if (ids.length === 0) return 0;
          await events().updateMany({ _id: { $in: ids } }, { $unset: { "data.reason": "" } }, { hint: BY_ID });
          return ids.length;
        });
      }
    },
  };
}

function ofMember({ clanId, platformId }: MemberRef) {
  return { "_id.clanId": clanId, subject: memberSubject(platformId) };
}
