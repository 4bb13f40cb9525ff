// What the use cases of accounts need from the world.
import type { Account } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import type { Page } from "#usecases/members/ports.ts";

/** `set-password`: an invitation or a reset. `sign-in`: opens a session at once. */
export type LinkKind = "set-password" | "sign-in";
/** The token itself is in the link that a person got, and nowhere else. */
export type AccountLink = { hash: string; kind: LinkKind; expiresAt: Date };

/** A public key of one of the person's devices. Nothing of it is secret. */
export type Passkey = {
  /** The authenticator's own name for it, base64url. */
  id: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Rises with each use where the authenticator counts, else 0. */
  counter: number;
  /** What the person calls the device. */
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/**
 * Who the person is at an identity provider. The subject is theirs for ever there; an e-mail address may pass to
 * somebody else.
 */
export type Identity = { issuer: string; subject: string; connectedAt: Date };

export type StoredAccount = Account & {
  /** Null until the person has chosen one. */
  passwordHash: string | null;
  /** Sessions of an earlier generation are ended. */
  generation: number;
  createdAt: Date;
  lastSignInAt: Date | null;
  link: AccountLink | null;
  passkeys: readonly Passkey[];
  identity: Identity | null;
  /**
   * The person ended the connection to a provider: an identity opens the account only once they have connected it
   * again.
   */
  isDisconnected: boolean;
};

/** Changes by somebody are recorded in the audit log with them. Throws AppError `unavailable`, `outcome_unknown`. */
export type AccountStore = {
  /** False when the name is taken. `by` null: nobody invites, and nothing is recorded. */
  create(account: Account & { createdAt: Date; link: AccountLink }, by: Actor | null): Promise<boolean>;
  read(name: string): Promise<StoredAccount | null>;
  list(): Promise<StoredAccount[]>;
  /**
   * By name, from behind `after` on. `text`: only those whose name or one of whose clans' ids contains it, whatever the
   * case of its letters.
   */
  search(text: string, page: { limit: number; after: string | null }): Promise<Page<StoredAccount, string>>;
  /** Ends its sessions and its link for good; null when there is none. */
  remove(name: string, at: Date, by: Actor): Promise<StoredAccount | null>;
  /** Gives it this link in place of an earlier one; its sessions end, and nothing it signed in with works any more. */
  giveLink(name: string, link: AccountLink, by: Actor): Promise<StoredAccount | null>;
  /** Gives it this link; null also when it has one to set a password, which the person may have in hand. */
  giveLinkUnlessPending(name: string, link: AccountLink, now: Date): Promise<StoredAccount | null>;
  findByLink(hash: string, now: Date): Promise<StoredAccount | null>;
  /** Spends the link and notes the sign-in, once however many ask at the same time. */
  spendLink(hash: string, now: Date): Promise<StoredAccount | null>;
  /** Does the same and sets the password; ends the sessions of before. */
  setPasswordByLink(hash: string, now: Date, passwordHash: string, by: Actor): Promise<StoredAccount | null>;
  /** Sets the password unless the account has changed since `generation`; ends all sessions and the link. */
  setPassword(
    account: { name: string; generation: number },
    passwordHash: string,
    by: Actor,
  ): Promise<StoredAccount | null>;
  noteSignIn(name: string, at: Date): Promise<void>;
};

/** Each change is recorded in the audit log with it. Throws AppError `unavailable`, `outcome_unknown`. */
export type PasskeyStore = {
  find(id: string): Promise<StoredAccount | null>;
  /** Unless the account has changed since `generation`, or has as many passkeys as it may. */
  add(
    account: { name: string; generation: number },
    passkey: Passkey,
    by: Actor,
  ): Promise<"added" | "known" | "not_added">;
  /** Spends a link of kind `set-password`, once however many ask at the same time; ends the sessions of before. */
  addByLink(linkHash: string, now: Date, passkey: Passkey, by: Actor): Promise<StoredAccount | null>;
  /** Ends all sessions. Null when it is not the account's, or when the account has changed since `generation`. */
  remove(account: { name: string; generation: number }, id: string, by: Actor): Promise<StoredAccount | null>;
  /** Null when the counter has not risen since: two authenticators hold the same key, or one answer was sent twice. */
  noteUse(
    account: { name: string; generation: number },
    id: string,
    use: { counter: number; at: Date },
  ): Promise<StoredAccount | null>;
};

/** Each change is recorded in the audit log with it. Throws AppError `unavailable`, `outcome_unknown`. */
export type IdentityStore = {
  find(issuer: string, subject: string): Promise<StoredAccount | null>;
  /**
   * Unless the account has changed since `generation`; ends its link. `taken`: the identity is another account's.
   * `signedInAt`: null when the person was signed in before.
   */
  connect(
    account: { name: string; generation: number },
    identity: Identity,
    by: Actor,
    signedInAt: Date | null,
  ): Promise<"connected" | "taken" | "changed_meanwhile">;
  /** Ends all sessions. Null when the account has changed since `generation`. */
  disconnect(account: { name: string; generation: number }, by: Actor): Promise<StoredAccount | null>;
};

/** Of one round trip to the identity provider. Each text is random, and known to the browser's own cookie alone. */
export type IdentityCheck = { redirectUri: string; state: string; nonce: string; verifier: string };

/** An OpenID provider. */
export type IdentityProvider = {
  /** As people know it. */
  name: string;
  /** Where the browser goes, or null while the provider is unreachable. */
  begin(check: IdentityCheck): Promise<string | null>;
  /** Judges what the browser came back with (`query`). `email`: only if the provider says that it is verified. */
  finish(
    check: IdentityCheck & { query: string },
  ): Promise<
    | { kind: "proved"; issuer: string; subject: string; email: string | null }
    | { kind: "canceled" }
    | { kind: "not_proved" }
    | { kind: "unreachable" }
  >;
};

/** What somebody was asked to prove, and for which account where that is known. */
export type ChallengeKind = "passkey-add" | "passkey-link" | "passkey-sign-in" | "oidc-sign-in" | "oidc-connect";
/** `hash`: the digest of the text in the cookie. */
export type Challenge = { hash: string; kind: ChallengeKind; accountName: string | null; expiresAt: Date };
/** Throws AppError `unavailable`, `outcome_unknown`. */
export type ChallengeStore = {
  add(challenge: Challenge): Promise<void>;
  /** Removes it and returns it, once however many ask at the same time. */
  take(hash: string, kind: ChallengeKind, now: Date): Promise<Challenge | null>;
};

/** Where people see the dashboard. A passkey works for one `rpId`, which is a host name. */
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

/** Makes and judges what authenticators are asked. A challenge is base64url. */
export type Authenticators = {
  /** What the browser's `create` takes; `known`: those that the account has. */
  optionsToAdd(asked: {
    site: Site;
    challenge: string;
    account: { name: string; handle: string };
    known: readonly Passkey[];
  }): Promise<object>;
  /** What the browser's `get` takes: any passkey of the site. */
  optionsToSignIn(asked: { site: Site; challenge: string }): Promise<object>;
  /** Null: this is no answer to the challenge from this site, or the person was not verified. */
  judgeNew(asked: {
    site: Site;
    challenge: string;
    credential: NewCredential;
  }): Promise<Pick<Passkey, "id" | "publicKey" | "counter"> | null>;
  judgeUse(asked: {
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
  /** Never brings back one that was removed. */
  touch(hash: string, times: Pick<Session, "seenAt" | "expiresAt">): Promise<void>;
  remove(hash: string): Promise<void>;
};

/** Throws nothing for a wrong password, and AppError `busy` where none was judged or hashed. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash to compare with. */
  verify(password: string, hash: string | null): Promise<boolean>;
};

/** Where a guess comes from. `known`: a device or a session of the account, which strangers do not have. */
export type GuessSource = { known: string } | { address: string };

/**
 * Counts guesses of passwords, on all processes together. What strangers do never uses up the attempts of a known
 * source.
 */
export type SignInLimit = {
  /** Milliseconds until another attempt is permitted, 0: this one is, and was counted. */
  attempt(accountName: string, from: GuessSource): Promise<number>;
  /** The same where no account is named. */
  attemptFrom(address: string): Promise<number>;
  /** The attempt was no guess: the person has proved who they are, which also forgives their earlier attempts. */
  forgive(accountName: string, from: GuessSource): Promise<void>;
  forgiveFrom(address: string): Promise<void>;
  /** The attempt was not judged. */
  takeBack(accountName: string, from: GuessSource): Promise<void>;
};
