// The boosts of clans, in the clans' documents: every process reads these twice a second, so that a boost costs awards
// nothing and acts within a second.
//
// Invariant: the documents stay small. Boosts that have ended are removed, except the last ones, when another is added.
import { ENDED_BOOSTS_LISTED_MAX, type StoredBoost } from "#domain/boost.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { BoostDoc, ClanDoc } from "#clans/store/clan-model.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import { mongoTimeAgo } from "#mongo/mongo-time.ts";
import type { BoostStore } from "#boosts/ports.ts";

export function makeBoostStore({ db }: Pick<Database, "db">): BoostStore {
  const clans = () => db().collection<ClanDoc>("clans");
  const audited = makeAudited({ db });

  return {
    now: () => read(() => mongoTimeAgo({ db }, 0)),

    list: (clanId) =>
      read(async () => {
        const doc = await clans().findOne({ _id: clanId }, { projection: { boosts: 1 } });
        return doc && (doc.boosts ?? []).map((boost) => storedBoostOf(clanId, boost)).toSorted(byFrom);
      }),

    add: (clanId, added, { max, now }, by) =>
      audited(by, async (session, note) => {
        const clan = await clans().findOne({ _id: clanId }, { projection: { boosts: 1 }, session });
        const [open, ended] = [[] as BoostDoc[], [] as BoostDoc[]];
        for (const boost of clan?.boosts ?? []) (endOf(boost) > now ? open : ended).push(boost);
        if (open.length + added.length > max) return false;
        ended.sort((a, b) => endOf(b).getTime() - endOf(a).getTime());
        const boosts = [...ended.slice(0, ENDED_BOOSTS_LISTED_MAX), ...open, ...added.map(docOfBoost)];
        await clans().updateOne({ _id: clanId }, { $set: { boosts }, $inc: { rev: 1 } }, { session });
        for (const boost of added)
          await note({ action: "boost.add", clanId, target: boost.boostId, before: null, after: shownOf(boost) });
        return true;
      }),

    end: ({ boostId, clanId }, now, by) =>
      audited(by, async (session, note) => {
        // There is no index by boost, because clans are few and boosts are seldom ended manually.
        const filter = { ...(clanId === undefined ? {} : { _id: clanId }), "boosts.boostId": boostId };
        const clan = await clans().findOne(filter, { projection: { boosts: 1 }, session });
        const boost = clan?.boosts?.find((one) => one.boostId === boostId);
        if (!clan || !boost) return null;
        if (endOf(boost) <= now) return storedBoostOf(clan._id, boost);
        const ended = { ...boost, endedAt: now };
        await clans().updateOne(
          { _id: clan._id, "boosts.boostId": boostId },
          { $set: { "boosts.$.endedAt": now }, $inc: { rev: 1 } },
          { session },
        );
        const [before, after] = [{ endedAt: null }, { endedAt: now }];
        const ofBoost = { clanId: clan._id, target: boostId, targetName: boost.name };
        await note({ action: "boost.end", ...ofBoost, before, after });
        return storedBoostOf(clan._id, ended);
      }),
  };
}

function endOf({ to, endedAt }: Pick<StoredBoost, "to" | "endedAt">): Date {
  return endedAt ?? to;
}

function byFrom(a: StoredBoost, b: StoredBoost): number {
  return a.from.getTime() - b.from.getTime() || (a.boostId < b.boostId ? -1 : 1);
}

function storedBoostOf(clanId: string, boost: BoostDoc): StoredBoost {
  return { ...boost, clanId };
}

function docOfBoost({ clanId: _clanId, ranks, placeIds, ...facts }: StoredBoost): BoostDoc {
  return { ...facts, ranks: [...ranks], placeIds: [...placeIds] };
}

/** The fields of a boost in an audit record. */
function shownOf({
  boostId: _boostId,
  clanId: _clanId,
  createdAt: _createdAt,
  endedAt: _endedAt,
  ...facts
}: StoredBoost) {
  return facts;
}
