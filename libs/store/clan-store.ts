// Clans: their rules and settings.
import type { Clan } from "#domain/clan.ts";
import type { Database } from "#store/database.ts";
import { clanOfDoc } from "#store/documents.ts";
import { isDuplicateKey, orUnavailable, orUnknown, readInTime } from "#store/mongo-errors.ts";
import type { ClanDoc } from "#store/models.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";

export function makeClanStore({ models }: Pick<Database, "models">): ClanStore {
  const { clans } = models;
  return {
    async create({ clanId, ranks, amountMax, ...facts }) {
      try {
        await orUnknown(() =>
          clans.create({ _id: clanId, ...facts, ranks: [...ranks], amountMax: BigInt(amountMax), createdAt: new Date(), rev: 1 }),
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    read(clanIds) {
      return readInTime(async () => {
        const docs = await clans.find({ _id: { $in: [...clanIds] } }).lean<ClanDoc[]>();
        return new Map(docs.map((doc): [string, Clan] => [doc._id, clanOfDoc(doc)]));
      });
    },

    list() {
      return orUnavailable(async () => (await clans.find().sort({ _id: 1 }).lean<ClanDoc[]>()).map(clanOfDoc));
    },

    change(clanId, { amountMax, ranks, ...settings }) {
      return orUnknown(async () => {
        // The filter holds floor <= cap, also when two operators each set one of them at once.
        const { xpFloor, xpCap } = settings;
        const fits = [
          ...(typeof xpFloor === "bigint" && xpCap === undefined ? [{ xpCap: { $gte: xpFloor } }] : []),
          ...(xpCap !== undefined && xpFloor === undefined ? [{ $or: [{ xpFloor: null }, { xpFloor: { $lte: xpCap } }] }] : []),
        ];
        const set = {
          ...settings,
          ...(amountMax === undefined ? {} : { amountMax: BigInt(amountMax) }),
          ...(ranks === undefined ? {} : { ranks: [...ranks] }),
        };
        const doc = await clans
          .findOneAndUpdate({ $and: [{ _id: clanId }, ...fits] }, { $set: set, $inc: { rev: 1 } }, { returnDocument: "after" })
          .lean<ClanDoc>();
        return doc && clanOfDoc(doc);
      });
    },
  };
}
