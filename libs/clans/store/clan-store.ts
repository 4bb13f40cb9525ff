// Clans: their rules and settings.
import type { Clan } from "#domain/clan.ts";
import { pageOf } from "#domain/page.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { clanInAudit, clanOfDoc, type ClanDoc } from "#clans/store/clan-model.ts";
import { containing } from "#mongo/filters.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { ClanStore } from "#clans/ports.ts";

export function makeClanStore({ db }: Pick<Database, "db">): ClanStore {
  const clans = () => db().collection<ClanDoc>("clans");
  const audited = makeAudited({ db });
  const deletions = () => db().collection<{ _id: string }>("deletions");

  return {
    async create(clan, by) {
      const { clanId, ranks, amountMax, boosts: _none, publicPage: _unpublished, ...facts } = clan;
      const doc = {
        _id: clanId,
        ...facts,
        ranks: [...ranks],
        amountMax: BigInt(amountMax),
        createdAt: new Date(),
        rev: 1,
      };
      try {
        return await audited(by, async (session, note) => {
          if (await deletions().findOne({ _id: clanId }, { session })) return false;
          await clans().insertOne(doc, { session });
          await note({ action: "clan.create", clanId, target: clanId, before: null, after: clanInAudit(clan) });
          return true;
        });
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    wasDeleted: (clanId) => read(async () => (await deletions().findOne({ _id: clanId })) !== null),

    read(clanIds) {
      return read(async () => {
        const docs = await clans()
          .find({ _id: { $in: [...clanIds] } })
          .toArray();
        return new Map(docs.map((doc): [string, Clan] => [doc._id, clanOfDoc(doc)]));
      });
    },

    list() {
      return read(async () => (await clans().find().sort({ _id: 1 }).toArray()).map(clanOfDoc));
    },

    search(text, { limit, after }) {
      return read(async () => {
        const filter = {
          ...(after === null ? {} : { _id: { $gt: after } }),
          ...(text === "" ? {} : { $or: [{ _id: containing(text) }, { name: containing(text) }] }),
        };
        const docs = await clans()
          .find(filter)
          .sort({ _id: 1 })
          .limit(limit + 1)
          .toArray();
        return pageOf(docs.map(clanOfDoc), limit, ({ clanId }) => clanId);
      });
    },
  };
}
