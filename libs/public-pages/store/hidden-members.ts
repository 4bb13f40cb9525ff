// Members whom an owner hides on the public page. The mark is stored with the member's name, because it may precede the
// first award, too. An audit record does not name the member: no erasure would delete it.
import type { ClanDoc } from "#clans/store/clan-model.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { pageOf } from "#domain/page.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import { HIDDEN, HIDDEN_OF_CLAN, isEmpty, type NameDoc } from "#names/store/name-model.ts";
import type { HiddenMembers } from "#public-pages/ports.ts";

type Opened = Pick<Database, "db">;

export function makeHiddenMembers({ db }: Opened): HiddenMembers {
  const names = () => db().collection<NameDoc>("names");
  const audited = makeAudited({ db });

  return {
    set: ({ clanId, platformId }, isHidden, by) =>
      audited(by, async (session, note) => {
        const clans = db().collection<ClanDoc>("clans");
        if (!(await clans.findOne({ _id: clanId }, { projection: { _id: 1 }, session }))) return false;
        const _id = memberIdOf({ clanId, platformId });
        const doc = await names().findOne({ _id }, { session });
        if (doc?.erasing) return false;
        if ((doc?.hiddenBy?.includes("owner") ?? false) === isHidden) return true;
        const change = isHidden
          ? { $set: { clanId, platformId }, $addToSet: { hiddenBy: "owner" as const } }
          : { $pull: { hiddenBy: "owner" as const } };
        await names().updateOne({ _id }, change, { session, upsert: isHidden });
        await names().deleteOne({ _id, ...isEmpty }, { session });
        const action = isHidden ? "page.hide" : "page.unhide";
        await note({ action, clanId, target: clanId, before: null, after: null });
        return true;
      }),

    list: (clanId, { limit, after }) =>
      read(async () => {
        const behind = after === null ? {} : { platformId: { $gt: after } };
        const docs = await names()
          .find({ clanId, ...behind, ...HIDDEN }, { hint: HIDDEN_OF_CLAN })
          .sort({ platformId: 1 })
          .limit(limit + 1)
          .toArray();
        const hidden = docs.map(({ platformId, name = null, hiddenBy = [] }) => ({ platformId, name, hiddenBy }));
        return pageOf(hidden, limit, ({ platformId }) => platformId);
      }),
  };
}
