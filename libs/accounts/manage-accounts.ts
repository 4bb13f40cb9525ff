// Invites people, issues new links, and removes people. A link works once, and for 72 hours.
import type { Account, Grant } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import type { AccountLink, AccountStore, LinkKind, StoredAccount } from "#accounts/ports.ts";
import { newLink, type LinkDeps } from "#accounts/new-link.ts";
import type { ClanStore } from "#clans/ports.ts";

/** `token` is the secret of the link. It is stored nowhere and shown only once. */
export type Invited = { kind: "invited"; account: Account; token: string; expiresAt: Date };

/** `ownerless`: the clan has no owner afterwards. */
type Changed<Kind> = { kind: Kind; account: StoredAccount; ownerless: boolean };

export type ManageAccounts = {
  /**
   * `clan_not_found` names the first clan of the grants that does not exist. The link sets a password, unless `kind`
   * says otherwise.
   */
  invite(
    account: Account,
    by: Actor | null,
    kind?: LinkKind,
  ): Promise<Invited | { kind: "name_taken" } | { kind: "clan_not_found"; clanId: string }>;
  /** Open sessions have the role immediately. `operator`: the account may do everything already. */
  grant(
    name: string,
    grant: Grant,
    by: Actor,
  ): Promise<Changed<"granted"> | { kind: "no_account" | "operator" | "clan_not_found" }>;
  revoke(name: string, clanId: string, by: Actor): Promise<Changed<"revoked"> | { kind: "no_account" | "no_grant" }>;
  /** Ends every session and every unused link of all accounts, and returns how many of each. */
  endSessions(by: Actor): Promise<{ sessions: number; links: number }>;
  /** The old password and passkeys stop working and every session ends immediately. */
  reset(name: string, by: Actor): Promise<Invited | { kind: "no_account" }>;
  /**
   * A link that signs in without a password; sessions and password stay. `not_given`: there is no account, or a link to
   * set a password is pending.
   */
  signInLink(name: string): Promise<Invited | { kind: "not_given" }>;
  remove(name: string, by: Actor): Promise<StoredAccount | null>;
  list(): Promise<StoredAccount[]>;
};

export function makeManageAccounts(
  deps: LinkDeps & { accounts: AccountStore; clans: Pick<ClanStore, "read"> },
): ManageAccounts {
  const { accounts, clans, clock } = deps;

  function linkOf(kind: LinkKind): { token: string; link: AccountLink } {
    const { token, hash, expiresAt } = newLink(deps);
    return { token, link: { hash, kind, expiresAt } };
  }

  async function isOwnerless(clanId: string): Promise<boolean> {
    return !(await accounts.hasAny({ clanId, role: "owner" }));
  }

  return {
    async invite(account, by, kind = "set-password") {
      const clanIds = account.grants.map((grant) => grant.clanId);
      const known = await clans.read(clanIds);
      const unknown = clanIds.find((clanId) => !known.has(clanId));
      if (unknown !== undefined) return { kind: "clan_not_found", clanId: unknown };
      const { token, link } = linkOf(kind);
      const created = await accounts.create({ ...account, createdAt: clock.now(), link }, by);
      return created ? { kind: "invited", account, token, expiresAt: link.expiresAt } : { kind: "name_taken" };
    },
    async grant(name, grant, by) {
      if (!(await clans.read([grant.clanId])).has(grant.clanId)) return { kind: "clan_not_found" };
      const granted = await accounts.grant(name, grant, by);
      if (granted.kind === "changed")
        return { kind: "granted", account: granted.account, ownerless: await isOwnerless(grant.clanId) };
      return { kind: (await accounts.read(name))?.operator ? "operator" : "no_account" };
    },
    async revoke(name, clanId, by) {
      const revoked = await accounts.grant(name, { clanId, role: null }, by);
      if (revoked.kind === "changed")
        return { kind: "revoked", account: revoked.account, ownerless: await isOwnerless(clanId) };
      return { kind: (await accounts.read(name)) ? "no_grant" : "no_account" };
    },
    endSessions: (by) => accounts.endSessions(clock.now(), by),
    async reset(name, by) {
      const { token, link } = linkOf("set-password");
      const account = await accounts.giveLink(name, link, by);
      return account ? { kind: "invited", account, token, expiresAt: link.expiresAt } : { kind: "no_account" };
    },
    async signInLink(name) {
      const { token, link } = linkOf("sign-in");
      const account = await accounts.giveLinkUnlessPending(name, link, clock.now());
      return account ? { kind: "invited", account, token, expiresAt: link.expiresAt } : { kind: "not_given" };
    },
    remove: (name, by) => accounts.remove(name, clock.now(), by),
    list: () => accounts.list(),
  };
}
