// The records of clans that are deleted. The clan's own document, its keys' validity and the accounts' roles in it end
// in one transaction with the audit record; all other data follows (clan-data-store.ts).
//
// Invariant: a key or a role is added in a transaction that also writes to the clan's document, so that none is added
// to a clan that is being deleted.
import type { AccountDoc } from "#accounts/store/account-model.ts";
import type { KeyDoc } from "#keys/store/key-model.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { ALIVE, claimSilent } from "#mongo/claims.ts";
import { clanInAudit, clanOfDoc, type ClanDoc } from "#clans/store/clan-model.ts";
import type { Database } from "#mongo/database.ts";
import type { DeletionDoc } from "#erasure/store/deletion-model.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import { giveUpSlugs } from "#public-pages/store/give-up-slugs.ts";
import type { ClanDeletion, ClanDeletions } from "#erasure/ports.ts";

type Opened = Pick<Database, "db">;

export function makeClanDeletionStore({ db }: Opened): ClanDeletions {
  const audited = makeAudited({ db });
  const deletions = () => db().collection<DeletionDoc>("deletions");

  return {
    begin: (clanId, by) =>
      audited(by, async (session, note) => {
        const deletion = await deletions().findOne({ _id: clanId }, { session });
        if (deletion) return deletion.finishedAt === null ? "unfinished" : "no_clan";
        const clan = await db().collection<ClanDoc>("clans").findOneAndDelete({ _id: clanId }, { session });
        if (!clan) return "no_clan";
        await db()
          .collection<KeyDoc>("keys")
          .updateMany({ clanId, revokedAt: null }, { $set: { revokedAt: new Date() } }, { session });
        await giveUpSlugs({ db }, { clanId, used: null }, session);
        const withRole = { "grants.clanId": clanId };
        await db()
          .collection<AccountDoc>("accounts")
          .updateMany(withRole, { $pull: { grants: { clanId } } }, { session });
        const invited = { "invites.clanId": clanId };
        await db()
          .collection<AccountDoc>("accounts")
          .updateMany(invited, { $pull: { invites: { clanId } } }, { session });
        const begun = { createdAt: "$$NOW", aliveAt: "$$NOW", finishedAt: null, searchedAt: null, members: null };
        await deletions().updateOne({ _id: clanId }, [{ $set: begun }], { session, upsert: true });
        const before = clanInAudit(clanOfDoc(clan));
        await note({ action: "clan.delete", clanId, target: clanId, before, after: null });
        return "begun";
      }),
    read: (clanId) =>
      read(async () => {
        const doc = await deletions().findOne({ _id: clanId }, MAJORITY);
        return doc && deletionOf(doc);
      }),
    noteAlive: (clanId) =>
      rewrite(async () => {
        await deletions().updateOne({ _id: clanId }, ALIVE);
      }),
    claimDue: ({ silentMs, lateMs }) =>
      rewrite(async () => {
        const agesMs = { aliveAt: silentMs, finishedAt: lateMs };
        const doc = await claimSilent(deletions(), { searchedAt: null }, { agesMs, order: "createdAt" });
        return doc && deletionOf(doc);
      }),
    noteMembers: (clanId, members) =>
      rewrite(async () => {
        await deletions().updateOne({ _id: clanId, members: null }, { $set: { members } });
      }),
    finish: (clanId) =>
      rewrite(async () => {
        await deletions().updateOne({ _id: clanId, finishedAt: null }, [{ $set: { finishedAt: "$$NOW" } }]);
        return (await deletions().findOne({ _id: clanId }, MAJORITY))?.members ?? 0;
      }),
    close: (clanId) =>
      rewrite(async () => {
        const closed = [{ $set: { searchedAt: "$$NOW" } }, { $unset: ["keyIds", "destinationIds"] }];
        await deletions().updateOne({ _id: clanId }, closed);
      }),
  };
}

function deletionOf({ _id, finishedAt }: DeletionDoc): ClanDeletion {
  return { clanId: _id, finishedAt };
}
