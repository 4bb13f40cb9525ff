// Signs people in, by password or by a link that works once. Nothing here reveals whether an account exists.
import type { AccountStore, LinkKind, Passwords, SessionStore, SignInLimit, StoredAccount } from "#usecases/accounts/ports.ts";
import type { Clock, Digest } from "#usecases/ports.ts";
import type { ConfirmPerson, Unconfirmed } from "#usecases/accounts/confirm-person.ts";
import type { Sessions, SignedIn } from "#usecases/accounts/sessions.ts";

/** `session`: the text for the cookie. */
export type SignInResult =
  | { kind: "signed_in"; accountName: string; session: string }
  | { kind: "refused" }
  | { kind: "limited"; retryAfterMs: number };
export type LinkResult = { kind: "signed_in"; accountName: string; session: string } | { kind: "no_link" } | { kind: "password_needed" };
export type PasswordResult = { kind: "changed"; session: string } | Unconfirmed;

export type SignIn = {
  withPassword(attempt: { name: string; password: string; address: string }): Promise<SignInResult>;
  /** What the link is for; null when it is unknown, was used, or has expired. */
  lookAtLink(token: string): Promise<{ kind: LinkKind; accountName: string } | null>;
  /** A link of kind `set-password` needs the password. */
  withLink(token: string, password: string | null): Promise<LinkResult>;
  /** Ends every session of the account, and opens a new one for the person who asked. */
  changePassword(who: SignedIn, change: { current: string | null; password: string; address: string }): Promise<PasswordResult>;
};

type World = {
  accounts: AccountStore;
  stored: Pick<SessionStore, "removeOfAccount">;
  sessions: Pick<Sessions, "open">;
  passwords: Passwords;
  confirmPerson: ConfirmPerson;
  limit: SignInLimit;
  clock: Clock;
  digest: Digest;
};

export function makeSignIn({ accounts, stored, sessions, passwords, confirmPerson, limit, clock, digest }: World): SignIn {
  async function opened(account: StoredAccount) {
    const session = await sessions.open(account);
    await accounts.noteSignIn(account.name, clock.now());
    return { kind: "signed_in", accountName: account.name, session } as const;
  }

  return {
    async withPassword({ name: typed, password, address }) {
      const name = typed.toLowerCase();
      const retryAfterMs = await limit.attempt(name, address);
      if (retryAfterMs > 0) return { kind: "limited", retryAfterMs };
      const account = await accounts.read(name);
      const isRight = await passwords.verify(password, account?.passwordHash ?? null);
      if (!account || !isRight) return { kind: "refused" };
      await limit.forgive(name);
      return opened(account);
    },

    async lookAtLink(token) {
      const account = await accounts.findByLink(digest(token), clock.now());
      return account?.link ? { kind: account.link.kind, accountName: account.name } : null;
    },

    async withLink(token, password) {
      const hash = digest(token);
      const found = await accounts.findByLink(hash, clock.now());
      if (!found?.link) return { kind: "no_link" };
      const setsPassword = found.link.kind === "set-password";
      if (setsPassword && password === null) return { kind: "password_needed" };
      const passwordHash = setsPassword && password !== null ? await passwords.hash(password) : null;
      const account = await accounts.spendLink(hash, clock.now(), passwordHash);
      return account ? opened(account) : { kind: "no_link" };
    },

    async changePassword(who, { current, password, address }) {
      const confirmed = await confirmPerson(who, { current, address });
      if (confirmed.kind !== "confirmed") return confirmed;
      const { name, generation } = confirmed.account;
      const account = await accounts.setPassword(name, generation, await passwords.hash(password));
      if (!account) return { kind: "changed_meanwhile" };
      await stored.removeOfAccount(name);
      return { kind: "changed", session: await sessions.open(account) };
    },
  };
}
