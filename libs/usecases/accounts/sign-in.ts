// Signs people in, by password or by a link that works once. Nothing here reveals whether an account exists.
import type { Devices } from "#usecases/accounts/devices.ts";
import type { AccountStore, LinkKind, Passwords, SessionStore, SignInLimit } from "#usecases/accounts/ports.ts";
import type { Clock, Digest } from "#usecases/ports.ts";
import type { ConfirmPerson, Unconfirmed } from "#usecases/accounts/confirm-person.ts";
import type { Sessions, SignedIn } from "#usecases/accounts/sessions.ts";

/** `session`, `device`: the texts for the cookies; `device` null: of this account none is known. */
type Entered = { kind: "signed_in"; accountName: string; session: string; device: string | null };
export type SignInResult = Entered | { kind: "refused" } | { kind: "limited"; retryAfterMs: number };
export type LinkResult = Entered | { kind: "no_link" } | { kind: "password_needed" };
export type PasswordResult = { kind: "changed"; session: string; device: string | null } | Unconfirmed;

export type SignIn = {
  /** `device`: what its cookie holds, if anything. */
  withPassword(attempt: {
    name: string;
    password: string;
    address: string;
    device: string | null;
  }): Promise<SignInResult>;
  /** What the link is for; null when it is unknown, was used, or has expired. */
  lookAtLink(token: string): Promise<{ kind: LinkKind; accountName: string } | null>;
  /** A link of kind `set-password` needs the password. Where anything fails, the link works again. */
  withLink(token: string, password: string | null): Promise<LinkResult>;
  /** Ends every session of the account, and opens a new one for the person who asked. */
  changePassword(who: SignedIn, change: { current: string | null; password: string }): Promise<PasswordResult>;
};

type World = {
  accounts: AccountStore;
  stored: Pick<SessionStore, "removeOfAccount">;
  sessions: Pick<Sessions, "open" | "end">;
  devices: Devices;
  passwords: Passwords;
  confirmPerson: ConfirmPerson;
  limit: SignInLimit;
  clock: Clock;
  digest: Digest;
};

export function makeSignIn(world: World): SignIn {
  const { accounts, stored, sessions, devices, passwords, confirmPerson, limit, clock, digest } = world;
  return {
    async withPassword({ name: typed, password, address, device }) {
      const name = typed.toLowerCase();
      const account = await accounts.read(name);
      const isKnown = account !== null && device !== null && devices.isOf(device, account);
      const from = isKnown ? { known: device } : { address };
      const retryAfterMs = await limit.attempt(name, from);
      if (retryAfterMs > 0) return { kind: "limited", retryAfterMs };
      const isRight = await passwords.verify(password, account?.passwordHash ?? null);
      if (!account || !isRight) return { kind: "refused" };
      await limit.forgive(name, from);
      const session = await sessions.open(account);
      await accounts.noteSignIn(name, clock.now());
      return { kind: "signed_in", accountName: name, session, device: devices.prove(account) };
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
      // The session comes first: a link that is spent is worth nothing without one. A new password ends the sessions of
      // this generation.
      const session = await sessions.open({
        name: found.name,
        generation: found.generation + (passwordHash === null ? 0 : 1),
      });
      const account = await accounts.spendLink(hash, clock.now(), passwordHash);
      if (account) return { kind: "signed_in", accountName: account.name, session, device: devices.prove(account) };
      await sessions.end(session);
      return { kind: "no_link" };
    },

    async changePassword(who, { current, password }) {
      const confirmed = await confirmPerson(who, current);
      if (confirmed.kind !== "confirmed") return confirmed;
      const { name, generation } = confirmed.account;
      const account = await accounts.setPassword(name, generation, await passwords.hash(password));
      if (!account) return { kind: "changed_meanwhile" };
      await stored.removeOfAccount(name);
      return { kind: "changed", session: await sessions.open(account), device: devices.prove(account) };
    },
  };
}
