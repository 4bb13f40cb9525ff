// What the use cases of accounts need from the outside.
import type { Account, ClanRole, Grant } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import type { Page } from "#domain/page.ts";

/** `set-password`: an invitation or a reset. `sign-in`: opens a session immediately. */
export type LinkKind = "set-password" | "sign-in";
/** The token itself is only in the link that a person received. */
export type AccountLink = { hash: string; kind: LinkKind; expiresAt: Date };

/** A public key of one of the person's devices. It contains no secret. */
export type Passkey = {
  /** The authenticator's own id for it, base64url. */
  id: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Increases with each use if the authenticator counts uses, otherwise 0. */
  counter: number;
  /** The person's name for the device. */
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/**
 * A person at an identity provider. The subject belongs to that person permanently; an e-mail address may be given to
 * somebody else.
 */
export type Identity = { issuer: string; subject: string; connectedAt: Date };

export type StoredAccount = Account & {
  /** Null until the person has chosen one. */
  passwordHash: string | null;
  /** Sessions of an earlier generation have ended. */
  generation: number;
  createdAt: Date;
  lastSignInAt: Date | null;
  link: AccountLink | null;
  passkeys: readonly Passkey[];
  identity: Identity | null;
  /**
   * The person ended the connection to a provider: an identity opens the account only after they have connected it
   * again.
   */
  isDisconnected: boolean;
};

/** A role that the person of a name gets by opening a link with this digest. */
export type Invitation = Grant & { hash: string; createdAt: Date; expiresAt: Date };

/** Why a role is not changed: the clan would have no owner any more, or the account has a role there, or none. */
export type GrantReason = "last_owner" | "has_role" | "no_role";
/** `none`: the account is absent or an operator's, or has no role to withdraw. */
export type GrantResult = { kind: "changed"; account: StoredAccount } | { kind: "none" | GrantReason };

/**
 * A change by a person is recorded in the audit log in the same transaction. Throws AppError `unavailable`,
 * `outcome_unknown`.
 */
export type AccountStore = {
  /**
   * False if the name is taken. An account without any role and any way to sign in holds nothing, and is replaced. `by`
   * null: no person invites, and nothing is recorded. Throws AppError `not_found` if the clan was deleted.
   */
  create(account: Account & { createdAt: Date; link: AccountLink }, by: Actor | null): Promise<boolean>;
  read(name: string): Promise<StoredAccount | null>;
  /** The same, and the account that the invitations of the name would make. */
  readOrInvited(name: string, now: Date): Promise<StoredAccount | null>;
  list(): Promise<StoredAccount[]>;
  /**
   * By name, starting after `after`. `text`: only those whose name, or one of whose clan ids, contains it; case is
   * ignored.
   */
  search(text: string, page: { limit: number; after: string | null }): Promise<Page<StoredAccount, string>>;
  /** Those with a role in the clan, by name. */
  listOfClan(clanId: string): Promise<StoredAccount[]>;
  /**
   * Gives it this role in the clan, in place of another one, or none (`role` null). Open sessions follow immediately.
   * `unless`: what prevents the change, also if several changes compete. Throws AppError `not_found` if the clan was
   * deleted.
   */
  grant(
    name: string,
    grant: { clanId: string; role: ClanRole | null },
    by: Actor,
    unless?: readonly GrantReason[],
  ): Promise<GrantResult>;
  /** Whether somebody has this role in the clan. */
  hasAny(grant: Grant): Promise<boolean>;
  /** Ends every session and every unused link, also of invitations. Returns how many of each it ended. */
  endSessions(now: Date, by: Actor): Promise<{ sessions: number; links: number }>;
  /** Ends its sessions, its link and its invitations permanently; null if there is none. */
  remove(name: string, at: Date, by: Actor): Promise<StoredAccount | null>;
  /** Replaces its link with this one. Its sessions end, and all its ways to sign in stop working. */
  giveLink(name: string, link: AccountLink, by: Actor): Promise<StoredAccount | null>;
  /** Gives it this link; null also if it has a link to set a password, which the person may already have. */
  giveLinkUnlessPending(name: string, link: AccountLink, now: Date): Promise<StoredAccount | null>;
  /** Also the account that an invitation would make. */
  findByLink(hash: string, now: Date): Promise<StoredAccount | null>;
  /** Spends the link and records the sign-in, once, however many requests compete. */
  consumeLink(hash: string, now: Date): Promise<StoredAccount | null>;
  /** Does the same and sets the password; ends all earlier sessions. */
  setPasswordByLink(hash: string, now: Date, passwordHash: string, by: Actor): Promise<StoredAccount | null>;
  /** Sets the password unless the account has changed since `generation`; ends all sessions and the link. */
  setPassword(
    account: { name: string; generation: number },
    passwordHash: string,
    by: Actor,
  ): Promise<StoredAccount | null>;
  noteSignIn(name: string, at: Date): Promise<void>;
};

/**
 * At most one for a name and a clan. Each change is recorded in the audit log in the same transaction. Throws AppError
 * `not_found` if the clan was deleted, `unavailable`, `outcome_unknown`.
 */
export type InvitationStore = {
  /** Replaces one that has expired. `invited`: there is one that has not. */
  add(name: string, invitation: Invitation, by: Actor): Promise<"added" | "has_role" | "invited">;
  /** By name, also those that have expired. */
  listOfClan(clanId: string): Promise<{ name: string; role: ClanRole }[]>;
  /** Gives it this role, or withdraws it (`role` null). False if there is none. */
  change(name: string, grant: { clanId: string; role: ClanRole | null }, by: Actor): Promise<boolean>;
  /** That of a name with an account. */
  find(hash: string, now: Date): Promise<(Grant & { name: string }) | null>;
  /** Null if the account has changed since `generation`, is an operator's, or the invitation is not its own. */
  accept(
    account: { name: string; generation: number },
    hash: string,
    now: Date,
    by: Actor,
  ): Promise<{ clanId: string } | null>;
};

/**
 * Each change is recorded in the audit log in the same transaction. Throws AppError `unavailable`, `outcome_unknown`.
 */
export type PasskeyStore = {
  find(id: string): Promise<StoredAccount | null>;
  /** Unless the account has changed since `generation`, or has the maximum number of passkeys. */
  add(
    account: { name: string; generation: number },
    passkey: Passkey,
    by: Actor,
  ): Promise<"added" | "known" | "not_added">;
  /** Spends a link of kind `set-password`, once, however many requests compete; ends all earlier sessions. */
  addByLink(linkHash: string, now: Date, passkey: Passkey, by: Actor): Promise<StoredAccount | null>;
  /** Ends all sessions. Null if the passkey is not the account's, or if the account has changed since `generation`. */
  remove(account: { name: string; generation: number }, id: string, by: Actor): Promise<StoredAccount | null>;
  /** Null if the account has changed since `generation`. */
  noteUse(
    account: { name: string; generation: number },
    id: string,
    use: { counter: number; at: Date },
  ): Promise<StoredAccount | null>;
};

type Connected = "connected" | "taken" | "changed_meanwhile";

/**
 * Each change is recorded in the audit log in the same transaction. Throws AppError `unavailable`, `outcome_unknown`.
 */
export type IdentityStore = {
  find(issuer: string, subject: string): Promise<StoredAccount | null>;
  /**
   * Unless the account has changed since `generation`; ends its link. `taken`: the identity belongs to another account.
   */
  connect(account: { name: string; generation: number }, identity: Identity, by: Actor): Promise<Connected>;
  /**
   * The same for the person who signs in as the owner of the account's name, and ends its sessions, its password and
   * its passkeys: somebody else may have chosen them. Without an account, the invitations of the name make it.
   */
  claim(account: { name: string; generation: number }, identity: Identity, by: Actor, now: Date): Promise<Connected>;
  /** Ends all sessions. Null if the account has changed since `generation`. */
  disconnect(account: { name: string; generation: number }, by: Actor): Promise<StoredAccount | null>;
};

/**
 * The secrets of one round trip to the identity provider. Each text is random and derived from the browser's cookie.
 */
export type IdentityCheck = { redirectUri: string; state: string; nonce: string; verifier: string };

/** An OpenID provider. */
export type IdentityProvider = {
  /** Its name for people. */
  name: string;
  /** Where the browser goes; null while the provider is unreachable. */
  begin(check: IdentityCheck): Promise<string | null>;
  /** Verifies what the browser returned with (`query`). `email`: only if the provider reports it as verified. */
  finish(check: IdentityCheck & { query: string }): Promise<
    | { kind: "verified"; issuer: string; subject: string; email: string | null }
    | { kind: "canceled" }
    | { kind: "not_verified" }
    /** The token is not valid yet, or not any more, by the clock of this machine. */
    | { kind: "clocks_differ" }
    | { kind: "unreachable" }
  >;
};

/** What a person must prove, and for which account if that is known. */
export type ChallengeKind = "passkey-add" | "passkey-link" | "passkey-sign-in" | "oidc-sign-in" | "oidc-connect";
/** `hash`: the digest of the text in the cookie. */
export type Challenge = { hash: string; kind: ChallengeKind; accountName: string | null; expiresAt: Date };
/** Throws AppError `unavailable`, `outcome_unknown`. */
export type ChallengeStore = {
  add(challenge: Challenge): Promise<void>;
  /** Removes it and returns it, once, however many requests compete. */
  take(hash: string, kind: ChallengeKind, now: Date): Promise<Challenge | null>;
};

/** The address of the dashboard. A passkey works for one `rpId`, which is a host name. */
export type Site = { origin: string; rpId: string };

/** What a browser answers, as JSON (Web Authentication, Level 3). */
export type NewCredential = {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; attestationObject: string };
};
export type UsedCredential = {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle: string };
};

/** Creates and verifies the requests to authenticators. A challenge is base64url. */
export type Authenticators = {
  /** The options of the browser's `create`; `known`: the account's passkeys. */
  optionsToAdd(request: {
    site: Site;
    challenge: string;
    account: { name: string; handle: string };
    known: readonly Passkey[];
  }): Promise<object>;
  /** The options of the browser's `get`: any passkey of the site. */
  optionsToSignIn(request: { site: Site; challenge: string }): Promise<object>;
  /** Null: this is not an answer to the challenge from this site, or the person was not verified. */
  verifyRegistration(request: {
    site: Site;
    challenge: string;
    credential: NewCredential;
  }): Promise<Pick<Passkey, "id" | "publicKey" | "counter"> | null>;
  verifyAuthentication(request: {
    site: Site;
    challenge: string;
    credential: UsedCredential;
    passkey: Passkey;
  }): Promise<Pick<Passkey, "counter"> | null>;
};

export type Session = {
  /** The digest of the text in the cookie. */
  hash: string;
  accountName: string;
  generation: number;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
};

/** Throws AppError `unavailable`. */
export type SessionStore = {
  add(session: Session): Promise<void>;
  read(hash: string): Promise<Session | null>;
  /** Never restores one that was removed. */
  touch(hash: string, times: Pick<Session, "seenAt" | "expiresAt">): Promise<void>;
  remove(hash: string): Promise<void>;
  /** The generations of the newest sessions that have not expired, by account: one may be that of no account now. */
  generations(now: Date): Promise<ReadonlyMap<string, number>>;
};

/** A wrong password is no error. Throws AppError `busy` if the password was not checked or hashed. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** Takes equally long without a hash to compare with. */
  verify(password: string, hash: string | null): Promise<boolean>;
};

/** The source of a guess. `known`: a device or a session of the account, which strangers do not have. */
export type AttemptSource = { known: string } | { address: string };

/** Counts guesses of passwords, over all processes. Strangers never use up the attempts of a known source. */
export type SignInLimit = {
  /** Milliseconds until another attempt is permitted. 0: this one is permitted, and was counted. */
  attempt(accountName: string, from: AttemptSource): Promise<number>;
  /** The same, if no account is named. */
  attemptFrom(address: string): Promise<number>;
  /** The attempt was not a guess: the person has proved who they are, which also clears their earlier attempts. */
  noteSuccess(accountName: string, from: AttemptSource): Promise<void>;
  noteSuccessFrom(address: string): Promise<void>;
  /** The attempt was not checked. */
  subtract(accountName: string, from: AttemptSource): Promise<void>;
};
