// Signs people in, by password or by a link that works once. Nothing here reveals whether an account exists.
import type { ClanRole } from "#domain/account.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { Devices } from "#accounts/devices.ts";
import type { AccountStore, InvitationStore, LinkKind, Passwords } from "#accounts/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";
import type { ConfirmPerson, Unconfirmed } from "#accounts/confirm-person.ts";
import type { VerifyPassword } from "#accounts/verify-password.ts";
import type { Sessions, SignedIn } from "#accounts/sessions.ts";

/** `session`, `device`: the texts for the cookies. `device` is null if the account has no known device. */
export type LinkFacts =
  | { kind: LinkKind; accountName: string }
  /** The account exists, and gets the role when its person accepts it. */
  | { kind: "accept"; accountName: string; clanName: string; role: ClanRole };
export type AcceptResult =
  | { kind: "accepted"; clanId: string }
  | { kind: "no_link" }
  | { kind: "other_account"; accountName: string }
  | { kind: "operator" };
type Entered = { kind: "signed_in"; accountName: string; session: string; device: string | null };
export type SignInResult = Entered | { kind: "rejected" } | { kind: "limited"; retryAfterMs: number };
export type LinkResult = Entered | { kind: "no_link" } | { kind: "password_needed" };
export type PasswordResult = { kind: "changed"; session: string; device: string | null } | Unconfirmed;

export type SignIn = {
  /** `device`: the content of its cookie, if any. */
  withPassword(attempt: {
    name: string;
    password: string;
    address: string;
    device: string | null;
  }): Promise<SignInResult>;
  /** The purpose of the link; null if it is unknown, was used, or has expired. */
  readLink(token: string): Promise<LinkFacts | null>;
  /** A link of kind `set-password` requires the password. If anything fails, the link can be used again. */
  withLink(token: string, password: string | null): Promise<LinkResult>;
  /** Gives the role of an invitation to the account that it names. */
  accept(who: SignedIn, token: string): Promise<AcceptResult>;
  /** Ends every session of the account, and opens a new one for the person who made the request. */
  changePassword(who: SignedIn, change: { current: string | null; password: string }): Promise<PasswordResult>;
};

type Deps = {
  accounts: AccountStore;
  invitations: Pick<InvitationStore, "find" | "accept">;
  clans: Pick<ClanStore, "read">;
  sessions: Pick<Sessions, "open" | "openFor">;
  devices: Devices;
  passwords: Pick<Passwords, "hash">;
  verifyPassword: VerifyPassword;
  confirmPerson: ConfirmPerson;
  clock: Clock;
  digest: Digest;
};

export function makeSignIn(deps: Deps): SignIn {
  const { accounts, invitations, clans, sessions, devices, passwords, verifyPassword, confirmPerson, clock, digest } =
    deps;
  return {
    async withPassword({ name: typed, password, address, device }) {
      const name = typed.toLowerCase();
      const account = await accounts.read(name);
      const isKnown = account !== null && device !== null && devices.isOf(device, account);
      const from = isKnown ? { known: device } : { address };
      const result = await verifyPassword({ name, from, password, hash: account?.passwordHash ?? null });
      if (result.kind === "limited") return result;
      if (!account || result.kind === "wrong") return { kind: "rejected" };
      const session = await sessions.open(account);
      await accounts.noteSignIn(name, clock.now());
      return { kind: "signed_in", accountName: name, session, device: devices.issue(account) };
    },

    async readLink(token) {
      const [hash, now] = [digest(token), clock.now()];
      const account = await accounts.findByLink(hash, now);
      if (account?.link) return { kind: account.link.kind, accountName: account.name };
      const invitation = await invitations.find(hash, now);
      const clan = invitation && (await clans.read([invitation.clanId])).get(invitation.clanId);
      if (!invitation || !clan) return null;
      return { kind: "accept", accountName: invitation.name, clanName: clan.name, role: invitation.role };
    },

    async accept({ account: { name, operator }, generation }, token) {
      const [hash, now] = [digest(token), clock.now()];
      const invitation = await invitations.find(hash, now);
      if (!invitation) return { kind: "no_link" };
      if (invitation.name !== name) return { kind: "other_account", accountName: invitation.name };
      if (operator) return { kind: "operator" };
      const by = { actor: name, via: "dashboard" } as const;
      const accepted = await invitations.accept({ name, generation }, hash, now, by);
      return accepted ? { kind: "accepted", ...accepted } : { kind: "no_link" };
    },

    async withLink(token, password) {
      const hash = digest(token);
      const found = await accounts.findByLink(hash, clock.now());
      if (!found?.link) return { kind: "no_link" };
      const { name, generation, link } = found;
      if (link.kind === "set-password" && password === null) return { kind: "password_needed" };
      const passwordHash = link.kind === "set-password" && password !== null ? await passwords.hash(password) : null;
      const opened =
        passwordHash === null
          ? await sessions.openFor(found, () => accounts.consumeLink(hash, clock.now()))
          : await sessions.openFor({ name, generation: generation + 1 }, () =>
              accounts.setPasswordByLink(hash, clock.now(), passwordHash, { actor: name, via: "dashboard" }),
            );
      if (!opened) return { kind: "no_link" };
      const { changed: account, session } = opened;
      return { kind: "signed_in", accountName: name, session, device: devices.issue(account) };
    },

    async changePassword(who, { current, password }) {
      const confirmed = await confirmPerson(who, current);
      if (confirmed.kind !== "confirmed") return confirmed;
      const { name, generation } = confirmed.account;
      const passwordHash = await passwords.hash(password);
      const opened = await sessions.openFor({ name, generation: generation + 1 }, () =>
        accounts.setPassword({ name, generation }, passwordHash, { actor: name, via: "dashboard" }),
      );
      if (!opened) return { kind: "changed_meanwhile" };
      return { kind: "changed", session: opened.session, device: devices.issue(opened.changed) };
    },
  };
}
