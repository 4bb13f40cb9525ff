// The people of one clan, as its owners see and change them. A clan always has an owner: its last one can neither be
// removed nor get another role here. An invitation grants nothing before the person opens its link, and nothing reveals
// whether a name has an account elsewhere.
import type { ClanRole } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import { hasWayIn } from "#accounts/has-way-in.ts";
import { newLink, type LinkDeps } from "#accounts/new-link.ts";
import type { AccountStore, InvitationStore } from "#accounts/ports.ts";

/** `invited`: they have not opened their link yet. */
export type Person = { name: string; role: ClanRole; lastSignInAt: Date | null; status: "active" | "invited" };
type Named = { clanId: string; name: string };

export type People = {
  /** By name. */
  list(clanId: string): Promise<Person[]>;
  /** `token`: the secret of the link. `has_role`: also another one. `pending`: an earlier link can still be opened. */
  invite(
    person: Named & { role: ClanRole },
    by: Actor,
  ): Promise<{ kind: "invited"; token: string; expiresAt: Date } | { kind: "has_role" | "pending" }>;
  /** Open sessions have the role immediately. */
  changeRole(person: Named & { role: ClanRole }, by: Actor): Promise<{ kind: "changed" | "no_person" | "last_owner" }>;
  /** The account stays, with its roles in other clans. An invitation is withdrawn. */
  remove(person: Named, by: Actor): Promise<{ kind: "removed" | "no_person" | "last_owner" }>;
};

type Deps = LinkDeps & { accounts: Pick<AccountStore, "listOfClan" | "grant">; invitations: InvitationStore };

export function makePeople({ accounts, invitations, ...linking }: Deps): People {
  return {
    async list(clanId) {
      const [withRole, invited] = await Promise.all([accounts.listOfClan(clanId), invitations.listOfClan(clanId)]);
      const people = withRole.flatMap((account): Person[] => {
        const { name, grants, lastSignInAt } = account;
        const role = grants.find((grant) => grant.clanId === clanId)?.role;
        return role ? [{ name, role, lastSignInAt, status: hasWayIn(account) ? "active" : "invited" }] : [];
      });
      const pending = invited.map((person): Person => ({ ...person, lastSignInAt: null, status: "invited" }));
      return [...people, ...pending].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },

    async invite({ clanId, name, role }, by) {
      const { token, ...link } = newLink(linking);
      const kind = await invitations.add(name, { clanId, role, ...link }, by);
      if (kind === "added") return { kind: "invited", token, expiresAt: link.expiresAt };
      return { kind: kind === "invited" ? "pending" : kind };
    },

    async changeRole({ clanId, name, role }, by) {
      const { kind } = await accounts.grant(name, { clanId, role }, by, ["no_role", "last_owner"]);
      if (kind === "changed" || kind === "last_owner") return { kind };
      return { kind: (await invitations.change(name, { clanId, role }, by)) ? "changed" : "no_person" };
    },

    async remove({ clanId, name }, by) {
      const { kind } = await accounts.grant(name, { clanId, role: null }, by, ["last_owner"]);
      if (kind === "last_owner") return { kind };
      if (kind === "changed") return { kind: "removed" };
      return { kind: (await invitations.change(name, { clanId, role: null }, by)) ? "removed" : "no_person" };
    },
  };
}
