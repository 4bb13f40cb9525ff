// Invitations to clans, in the document of the account that their name has, or will have. An invitation grants nothing
// before its link is opened: a name proves nothing about the person who chose it.
//
// Invariant: an account has no role in a clan to which it is invited.
import { isAbsent, UNUSED, type AccountDoc, type InviteDoc } from "#accounts/store/account-model.ts";
import { ofInvitation } from "#accounts/store/invited-account.ts";
import { makeAudited } from "#audit/store/audited.ts";
import { touchClan } from "#clans/store/touch-clan.ts";
import type { Database } from "#mongo/database.ts";
import { read } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { InvitationStore } from "#accounts/ports.ts";

/** Holds the invitations of a name without an account. */
const NO_ACCOUNT = { ...UNUSED, operator: false, generation: 0 };

type Opened = Pick<Database, "db">;

export function makeInvitationStore({ db }: Opened): InvitationStore {
  const accounts = () => db().collection<AccountDoc>("accounts");
  const audited = makeAudited({ db });

  return {
    add: makeAdd({ db }),

    listOfClan: (clanId) =>
      read(async () => {
        const docs = await accounts().find({ "invites.clanId": clanId }).sort({ _id: 1 }).toArray();
        return docs.flatMap((doc) => ofClan(doc, clanId).map(({ role }) => ({ name: doc._id, role })));
      }),

    change: (name, { clanId, role }, by) =>
      audited(by, async (session, note) => {
        const doc = await accounts().findOne({ _id: name }, { session });
        const [before] = ofClan(doc, clanId);
        if (!doc || !before) return false;
        await touchClan({ db }, clanId, session);
        const invites = [...others(doc, clanId), ...(role === null ? [] : [{ ...before, role }])];
        await accounts().updateOne({ _id: name }, { $set: { invites } }, { session });
        const [from, to] = [before.role, role].map((named) => named && { role: named, invited: true });
        const action = role === null ? "account.revoke" : "account.grant";
        await note({ action, clanId, target: name, before: from ?? null, after: to ?? null });
        return true;
      }),

    find: (hash, now) =>
      read(async () => {
        const doc = await accounts().findOne(ofInvitation(hash, now));
        const invite = doc?.invites?.find((one) => one.hash === hash);
        return doc && invite && !isAbsent(doc) ? { name: doc._id, clanId: invite.clanId, role: invite.role } : null;
      }),

    accept: ({ name, generation }, hash, now, by) =>
      audited(by, async (session, note) => {
        const filter = { _id: name, generation, removedAt: null, operator: false, ...ofInvitation(hash, now) };
        const doc = await accounts().findOne(filter, { session });
        const invite = doc?.invites?.find((one) => one.hash === hash);
        if (!doc || !invite) return null;
        const { clanId, role } = invite;
        await touchClan({ db }, clanId, session);
        const update = { $push: { grants: { clanId, role } }, $set: { invites: others(doc, clanId) } };
        await accounts().updateOne({ _id: name }, update, { session });
        await note({ action: "account.accept", clanId, target: name, before: null, after: { role } });
        return { clanId };
      }),
  };
}

function makeAdd({ db }: Opened): InvitationStore["add"] {
  const accounts = () => db().collection<AccountDoc>("accounts");
  const audited = makeAudited({ db });
  const add: InvitationStore["add"] = async (name, invite, by) => {
    const { clanId, role, createdAt } = invite;
    try {
      return await audited(by, async (session, note) => {
        const doc = await accounts().findOne({ _id: name }, { session });
        if (doc?.removedAt === null && doc.grants.some((grant) => grant.clanId === clanId)) return "has_role";
        const [before] = ofClan(doc, clanId);
        if (before && before.expiresAt > createdAt) return "invited";
        await touchClan({ db }, clanId, session);
        const invites = [...others(doc, clanId), invite];
        if (doc) await accounts().updateOne({ _id: name }, { $set: { invites } }, { session });
        else
          await accounts().insertOne(
            { _id: name, ...NO_ACCOUNT, createdAt, removedAt: createdAt, invites },
            { session },
          );
        const after = { operator: false, clans: [{ clanId, role }] };
        await note({ action: "account.invite", clanId, target: name, before: null, after });
        return "added";
      });
    } catch (error) {
      // Another clan invited the name at the same time.
      if (isDuplicateKey(error)) return add(name, invite, by);
      throw error;
    }
  };
  return add;
}

function ofClan(doc: AccountDoc | null, clanId: string): InviteDoc[] {
  return doc?.invites?.filter((invite) => invite.clanId === clanId) ?? [];
}

function others(doc: AccountDoc | null, clanId: string): InviteDoc[] {
  return doc?.invites?.filter((invite) => invite.clanId !== clanId) ?? [];
}
