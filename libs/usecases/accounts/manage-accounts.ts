// Invites people, issues new links, and removes people. A link works once, and for 72 hours.
import type { Account } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import type { AccountLink, AccountStore, LinkKind, StoredAccount } from "#usecases/accounts/ports.ts";
import { ACCOUNT_LINK_CHARS, ACCOUNT_LINK_MS } from "#usecases/accounts/bounds.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import type { Clock, Digest } from "#usecases/ports.ts";

/** `token` is the secret of the link. It is stored nowhere and shown only once. */
export type Invited = { kind: "invited"; account: Account; token: string; expiresAt: Date };

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

export function makeManageAccounts(world: {
  accounts: AccountStore;
  clans: Pick<ClanStore, "read">;
  clock: Clock;
  digest: Digest;
  randomText: (chars: number) => string;
}): ManageAccounts {
  const { accounts, clans, clock, digest, randomText } = world;

  function newLink(kind: LinkKind): { token: string; link: AccountLink } {
    const token = randomText(ACCOUNT_LINK_CHARS);
    return { token, link: { hash: digest(token), kind, expiresAt: new Date(clock.now().getTime() + ACCOUNT_LINK_MS) } };
  }

  return {
    async invite(account, by, kind = "set-password") {
      const clanIds = account.grants.map((grant) => grant.clanId);
      const known = await clans.read(clanIds);
      const unknown = clanIds.find((clanId) => !known.has(clanId));
      if (unknown !== undefined) return { kind: "clan_not_found", clanId: unknown };
      const { token, link } = newLink(kind);
      const created = await accounts.create({ ...account, createdAt: clock.now(), link }, by);
      return created ? { kind: "invited", account, token, expiresAt: link.expiresAt } : { kind: "name_taken" };
    },
    async reset(name, by) {
      const { token, link } = newLink("set-password");
      const account = await accounts.giveLink(name, link, by);
      return account ? { kind: "invited", account, token, expiresAt: link.expiresAt } : { kind: "no_account" };
    },
    async signInLink(name) {
      const { token, link } = newLink("sign-in");
      const account = await accounts.giveLinkUnlessPending(name, link, clock.now());
      return account ? { kind: "invited", account, token, expiresAt: link.expiresAt } : { kind: "not_given" };
    },
    remove: (name, by) => accounts.remove(name, clock.now(), by),
    list: () => accounts.list(),
  };
}
