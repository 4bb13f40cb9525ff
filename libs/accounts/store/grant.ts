// Gives accounts roles in clans, and withdraws them. Each change also writes to the clan's document: two changes that
// would each leave the other person as the last owner conflict, and one of them runs again.
import type { Grant } from "#domain/account.ts";
import { accountOfDoc, type AccountDoc } from "#accounts/store/account-model.ts";
import type { Audited } from "#audit/store/audited.ts";
import { touchClan } from "#clans/store/touch-clan.ts";
import type { Database } from "#mongo/database.ts";
import type { AccountStore } from "#accounts/ports.ts";

export function makeGrant({ db, audited }: Pick<Database, "db"> & { audited: Audited }): AccountStore["grant"] {
  const accounts = () => db().collection<AccountDoc>("accounts");
  return (name, { clanId, role }, by, unless = []) =>
    audited(by, async (session, note) => {
      const isGranted = { _id: name, operator: false, removedAt: null };
      const doc = await accounts().findOne(isGranted, { session });
      const before = doc?.grants.find((grant) => grant.clanId === clanId) ?? null;
      if (!doc || (role === null && !before)) return { kind: "none" };
      const known = before ? "has_role" : "no_role";
      if (unless.includes(known)) return { kind: known };
      if (unless.includes("last_owner") && before?.role === "owner" && role !== "owner") {
        const isOther = { _id: { $ne: name }, removedAt: null, ...withGrant({ clanId, role: "owner" }) };
        if (!(await accounts().findOne(isOther, { projection: { _id: 1 }, session }))) return { kind: "last_owner" };
      }
      await touchClan({ db }, clanId, session);
      const others = doc.grants.filter((grant) => grant !== before);
      const grants = role === null ? others : [...others, { clanId, role }];
      // A role that is given takes the place of an invitation.
      await accounts().updateOne({ _id: name }, { $set: { grants }, $pull: { invites: { clanId } } }, { session });
      const action = role === null ? "account.revoke" : "account.grant";
      await note({ action, clanId, target: name, before: before && { role: before.role }, after: role && { role } });
      return { kind: "changed", account: accountOfDoc({ ...doc, grants }) };
    });
}

/** Accounts with this role in the clan. */
export function withGrant({ clanId, role }: Grant) {
  return { grants: { $elemMatch: { clanId, role } } };
}
