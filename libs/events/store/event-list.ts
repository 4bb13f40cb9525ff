// A clan's events as people read them: the newest first.
import type { Collection, Filter } from "mongodb";
import { memberSubject } from "#domain/change-ref.ts";
import type { EventType } from "#domain/event.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { between, endmost } from "#events/store/positions.ts";
import { BY_CHANGE, eventOfDoc, type EventDoc } from "#events/store/event-model.ts";
import { BY_ID } from "#ledger/store/ledger-filters.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import { BEHIND } from "#mongo/ranges.ts";
import type { EventList } from "#events/ports.ts";

export function makeEventList({ db }: Pick<Database, "db">): EventList {
  const events = (): Collection<EventDoc> => db().collection<EventDoc>("events");

  async function numberOf(clanId: string, direction: 1 | -1): Promise<number> {
    return (await endmost(events(), clanId, direction))?._id.n ?? 0;
  }

  function countUpTo(found: Filter<EventDoc>, limit: number): Promise<number> {
    return events().countDocuments(found, { ...MAJORITY, limit, hint: BY_CHANGE, maxTimeMS: ANSWER_MS_MAX });
  }

  return {
    page: (clanId, { types, search, before, limit, examined }) =>
      read(async () => {
        const to = before === null ? await numberOf(clanId, -1) : before - 1;
        const wanted = search === null ? types : types.filter(isOfMember);
        if (wanted.length === 0) return { items: [], next: null };
        const found = search && { "_id.clanId": clanId, ...subjectsOf(search) };
        // Few events of members are found by their index, however long the chain is.
        const isFew = found !== null && (await countUpTo(found, examined)) < examined;
        const from = isFew ? 0 : Math.max(0, to - examined);
        const docs = await events()
          .find(
            { ...found, ...between(clanId, from, to), type: { $in: [...wanted] } },
            { ...MAJORITY, maxTimeMS: ANSWER_MS_MAX, hint: isFew ? BY_CHANGE : BY_ID },
          )
          .sort({ _id: -1 })
          .limit(limit + 1)
          .toArray();
        const items = docs.slice(0, limit).flatMap((doc) => eventOfDoc(doc) ?? []);
        if (docs.length > limit) return { items, next: items.at(-1)?.n ?? null };
        const isEnd = from === 0 || (await numberOf(clanId, 1)) > from;
        return { items, next: isEnd ? null : from + 1 };
      }),
  };
}

function subjectsOf({ prefix, platformIds }: { prefix: string | null; platformIds: readonly string[] }) {
  const these = { subject: { $in: platformIds.map(memberSubject) } };
  if (prefix === null) return these;
  return { $or: [{ subject: { $gte: memberSubject(prefix), $lt: memberSubject(prefix + BEHIND) } }, these] };
}

function isOfMember(type: EventType): boolean {
  return type.startsWith("member.") || type === "award.applied";
}
