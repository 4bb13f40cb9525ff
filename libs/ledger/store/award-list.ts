// Lists the awards of a clan, newest first, by the indexes that the ledger has: by time, or by the person who gave
// them. Those of members who have few entries are read together.
//
// Invariant: a page looks at a bounded number of entries, whatever the filter. The parts that it looks at end between
// two milliseconds, so that they neither overlap nor leave a gap. A millisecond with more entries is one part.
import type { Filter, IndexSpecification } from "mongodb";
import { actorsIn } from "#mongo/actors-in.ts";
import { ANSWER_MS_MAX } from "#mongo/bounds.ts";
import type { Database } from "#mongo/database.ts";
import { containing, NO_FENCE } from "#mongo/filters.ts";
import { BY_ACTOR, BY_KEY, BY_TIME, entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { IS_AWARD, olderThan } from "#ledger/store/ledger-filters.ts";
import { timeBeyond } from "#ledger/store/time-beyond.ts";
import { MAJORITY, read } from "#mongo/mongo-calls.ts";
import type { AwardFilter, AwardList, AwardPosition } from "#members/ports.ts";

type Entries = Filter<EntryDoc>;
/** `match`: equalities of the index. `isWhole`: it selects few entries, which need no parts. */
type Source = { match: Entries; hint: IndexSpecification; isWhole: boolean };
type Page = Parameters<AwardList["page"]>[2];

const BOUNDED = { ...MAJORITY, maxTimeMS: ANSWER_MS_MAX } as const;
/** Entries of the first part, and how many times as many the next one has: most pages need one part. */
const [FIRST_PART, GROWTH] = [200, 8];
const [BEGINNING, END] = [new Date(0), new Date(8.64e15)];

export function makeAwardList({ db }: Pick<Database, "db">): AwardList {
  const ledger = () => db().collection<EntryDoc>("ledger");

  async function sourceOf(clanId: string, { platformIds, by }: AwardFilter, examined: number): Promise<Source> {
    if (platformIds !== null) {
      const match = { "_id.platformId": { $in: [...platformIds] } };
      const ofMembers = { "_id.clanId": clanId, ...match };
      const count = await ledger().countDocuments(ofMembers, { ...BOUNDED, limit: examined, hint: BY_KEY });
      if (count < examined) return { match, hint: BY_KEY, isWhole: true };
    }
    if (by && "actor" in by) return { match: by, hint: BY_ACTOR, isWhole: false };
    return { match: {}, hint: BY_TIME, isWhole: false };
  }

  async function page(
    clanId: string,
    filter: AwardFilter,
    { limit, after, examined }: Page,
  ): ReturnType<AwardList["page"]> {
    if (filter.platformIds?.length === 0) return { items: [], next: null };
    const { match, hint, isWhole } = await sourceOf(clanId, filter, examined);
    const wanted = { ...conditionsOf(filter), ...match };
    const from = filter.from ?? BEGINNING;
    let until = startOf(filter, after);
    const docs: EntryDoc[] = [];
    for (let [left, size] = [examined, FIRST_PART]; left > 0; [left, size] = [left - size, size * GROWTH]) {
      const beyond = isWhole
        ? null
        : await timeBeyond(ledger(), { clanId, from, until }, Math.min(size, left), { match, hint });
      const begin = beyond === null ? from : beginAfter(beyond, until);
      const part = { "_id.clanId": clanId, ...wanted, at: { $gte: begin, $lt: until } };
      const found = await ledger()
        .find(
          { ...part, ...(after?.entry ? olderThan({ at: after.at, id: { clanId, ...after.entry } }) : {}) },
          { ...BOUNDED, hint },
        )
        .sort({ at: -1, _id: -1 })
        .limit(limit + 1 - docs.length)
        .toArray();
      docs.push(...found);
      if (docs.length > limit)
        return { items: docs.slice(0, limit).map(entryOfDoc), next: positionOf(docs[limit - 1]) };
      until = begin;
      if (beyond === null) return { items: docs.map(entryOfDoc), next: null };
    }
    return { items: docs.map(entryOfDoc), next: { at: until, entry: null } };
  }

  return {
    page: (clanId, filter, part) => read(() => page(clanId, filter, part)),
    people: (clanId, limit) =>
      read(() => actorsIn(db(), "ledger", { "_id.clanId": clanId, actor: { $gt: "" } }, limit)),
  };
}

/** After the millisecond of the entry beyond the part, unless the part has no other. */
function beginAfter(beyond: Date, until: Date): Date {
  const next = new Date(beyond.getTime() + 1);
  return next < until ? next : beyond;
}

/** The time before which the page begins: entries of the same millisecond as the last one may follow. */
function startOf({ to }: AwardFilter, after: AwardPosition | null): Date {
  if (after) return after.entry ? new Date(after.at.getTime() + 1) : after.at;
  return to ?? END;
}

function positionOf(doc: EntryDoc | undefined): AwardPosition | null {
  if (!doc) return null;
  const { platformId, seq } = doc._id;
  return { at: doc.at, entry: { platformId, seq } };
}

function conditionsOf({ platformIds, by, matchId, reason, atLeast }: AwardFilter): Entries {
  return {
    ...IS_AWARD,
    ...NO_FENCE,
    ...(platformIds === null ? {} : { "_id.platformId": { $in: [...platformIds] } }),
    ...(by === null ? {} : "keyId" in by ? { apiKeyId: by.keyId, actor: { $exists: false } } : by),
    ...(matchId === null ? {} : { "source.matchId": matchId }),
    ...(reason === null ? {} : { reason: containing(reason) }),
    ...(atLeast === null ? {} : { applied: { $gte: atLeast } }),
  };
}
