// The people of one clan, as its owners see and change them. A clan always has an owner: its last one can neither be
// removed nor become a viewer here. Nothing reveals whether a name has an account elsewhere before it gets a role.
import type { ClanRole } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import type { Invited, ManageAccounts } from "#usecases/accounts/manage-accounts.ts";
import { hasWayIn } from "#usecases/accounts/has-way-in.ts";
import type { AccountStore } from "#usecases/accounts/ports.ts";

/** `invited`: they have not chosen how to sign in yet. */
export type Person = { name: string; role: ClanRole; lastSignInAt: Date | null; status: "active" | "invited" };
type Named = { clanId: string; name: string };

export type People = {
  /** By name. */
  list(clanId: string): Promise<Person[]>;
  /** `granted`: the account exists, and has the role now. `has_role`: also another one. */
  invite(
    person: Named & { role: ClanRole },
    by: Actor,
  ): Promise<Invited | { kind: "granted" | "has_role" | "operator" }>;
  /** Open sessions have the role immediately. */
  changeRole(person: Named & { role: ClanRole }, by: Actor): Promise<{ kind: "changed" | "no_person" | "last_owner" }>;
  /** The account stays, with its roles in other clans. */
  remove(person: Named, by: Actor): Promise<{ kind: "removed" | "no_person" | "last_owner" }>;
};

export function makePeople(deps: {
  accounts: Pick<AccountStore, "listOfClan" | "grant">;
  manage: Pick<ManageAccounts, "invite">;
}): People {
  const { accounts, manage } = deps;
  return {
    async list(clanId) {
      return (await accounts.listOfClan(clanId)).flatMap((account) => {
        const { name, grants, lastSignInAt } = account;
        const role = grants.find((grant) => grant.clanId === clanId)?.role;
        return role ? [{ name, role, lastSignInAt, status: hasWayIn(account) ? "active" : "invited" }] : [];
      });
    },

    async invite({ clanId, name, role }, by) {
      const grant = { clanId, role };
      const invited = await manage.invite({ name, operator: false, grants: [grant] }, by);
      if (invited.kind === "invited") return invited;
      const { kind } = await accounts.grant(name, grant, by, ["has_role"]);
      if (kind === "has_role") return { kind };
      return { kind: kind === "changed" ? "granted" : "operator" };
    },

    async changeRole({ clanId, name, role }, by) {
      const { kind } = await accounts.grant(name, { clanId, role }, by, ["no_role", "last_owner"]);
      if (kind === "last_owner") return { kind };
      return { kind: kind === "changed" ? kind : "no_person" };
    },

    async remove({ clanId, name }, by) {
      const { kind } = await accounts.grant(name, { clanId, role: null }, by, ["last_owner"]);
      if (kind === "last_owner") return { kind };
      return { kind: kind === "changed" ? "removed" : "no_person" };
    },
  };
}
