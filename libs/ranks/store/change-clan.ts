// Changes a clan's settings or ranks, with an audit record of the previous values. The floor stays below the cap, even
// if two operators each set one of them at the same time.
import type { Clan } from "#domain/clan.ts";
import { moderatorBoundsOf } from "#domain/moderator.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Renames } from "#domain/replace-ranks.ts";
import { clanInAudit, clanOfDoc, type BoostDoc, type ClanDoc } from "#clans/store/clan-model.ts";
import { makeRenameInMappings } from "#ranks/store/rename-in-mappings.ts";
import type { Database } from "#mongo/database.ts";
import type { ClanChanges } from "#clans/ports.ts";

export function makeChangeClan({ db }: Pick<Database, "db">): ClanChanges["change"] {
  const clans = () => db().collection<ClanDoc>("clans");
  const renameInMappings = makeRenameInMappings({ db });
  const audited = makeAudited({ db });

  return (clanId, { amountMax, xpPerDay, ranks, renames, moved, ...settings }, by) => {
    // The filter ensures floor <= cap, even if two operators each set one of them at the same time.
    const { xpFloor, xpCap } = settings;
    const fits = [
      ...(typeof xpFloor === "bigint" && xpCap === undefined ? [{ xpCap: { $gte: xpFloor } }] : []),
      ...(xpCap !== undefined && xpFloor === undefined
        ? [{ $or: [{ xpFloor: null }, { xpFloor: { $lte: xpCap } }] }]
        : []),
    ];
    return audited(by, async (session, note) => {
      const before = await clans().findOne({ _id: clanId }, { session });
      if (!before) return null;
      const nextRanks = typeof ranks === "function" ? ranks(clanOfDoc(before).ranks) : ranks;
      if (nextRanks === null) return null;
      const set = {
        ...settings,
        ...(amountMax === undefined ? {} : { amountMax: BigInt(amountMax) }),
        ...(nextRanks === undefined ? {} : { ranks: [...nextRanks] }),
        // A changed cap keeps the day's count; one that is set where none was begins a new count.
        ...(typeof xpPerDay === "bigint"
          ? { dailyCap: { xp: xpPerDay, since: before.dailyCap?.since ?? before.rev + 1 } }
          : {}),
      };
      const boosts = renames && before.boosts?.map((boost) => renamed(boost, renames));
      const unset = xpPerDay === null ? { $unset: { dailyCap: 1 as const } } : {};
      const doc = await clans().findOneAndUpdate(
        { $and: [{ _id: clanId }, ...fits] },
        { $set: { ...set, ...(boosts ? { boosts } : {}) }, ...unset, $inc: { rev: 1 } },
        { returnDocument: "after", session },
      );
      if (!doc) return null;
      if (renames && renames.size > 0) await renameInMappings(clanId, renames, session);
      const clan = clanOfDoc(doc);
      const action = ranks === undefined ? "clan.set" : "rank.set";
      const previous = clanOfDoc(before);
      const data = { ranks: clan.ranks, previousRanks: previous.ranks, rise: moved?.rise ?? 0, fall: moved?.fall ?? 0 };
      await note({
        action,
        clanId,
        target: clanId,
        before: clanInAudit({ ...previous, ...(settings.moderatorBounds ? boundsIn(previous) : {}) }),
        after: clanInAudit(clan),
        ...(ranks === undefined ? {} : { event: { type: "ranks.changed", data } }),
      });
      return clan;
    });
  };
}

/** Also the defaults, which are not stored. */
function boundsIn(clan: Clan): Pick<Clan, "moderatorBounds"> {
  return { moderatorBounds: moderatorBoundsOf(clan) };
}

/** A boost follows the ranks that it names. */
function renamed(boost: BoostDoc, renames: Renames): BoostDoc {
  return { ...boost, ranks: boost.ranks.map((rank) => renames.get(rank) ?? rank) };
}
