// What the use cases of accounts need from the world.
import type { Account } from "#domain/account.ts";

/** `set-password`: an invitation or a reset. `sign-in`: opens a session at once. */
export type LinkKind = "set-password" | "sign-in";
/** The token itself is in the link that a person got, and nowhere else. */
export type AccountLink = { hash: string; kind: LinkKind; expiresAt: Date };

export type StoredAccount = Account & {
  /** Null until the person has chosen one. */
  passwordHash: string | null;
  /** Sessions of an earlier generation are ended. */
  generation: number;
  createdAt: Date;
  lastSignInAt: Date | null;
  link: AccountLink | null;
};

/** Throws AppError `unavailable`, `outcome_unknown`. */
export type AccountStore = {
  /** False when the name is taken. */
  create(account: Account & { createdAt: Date; link: AccountLink }): Promise<boolean>;
  read(name: string): Promise<StoredAccount | null>;
  list(): Promise<StoredAccount[]>;
  /** Ends its sessions and its link for good; null when there is none. */
  remove(name: string, at: Date): Promise<StoredAccount | null>;
  /** Gives it this link in place of an earlier one. With `endSessions` its sessions end and its password stops working. */
  giveLink(name: string, link: AccountLink, options: { endSessions: boolean }): Promise<StoredAccount | null>;
  findByLink(hash: string, now: Date): Promise<StoredAccount | null>;
  /** Spends the link, once however many ask at the same time; with a password, which ends the sessions of before. */
  spendLink(hash: string, now: Date, passwordHash: string | null): Promise<StoredAccount | null>;
  /** Sets the password unless it has changed since `generation`; ends all sessions and the link. */
  setPassword(name: string, generation: number, passwordHash: string): Promise<StoredAccount | null>;
  noteSignIn(name: string, at: Date): Promise<void>;
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
  removeOfAccount(accountName: string): Promise<void>;
};

/** Throws nothing for a wrong password. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash to compare with. */
  verify(password: string, hash: string | null): Promise<boolean>;
};

/** Counts attempts to sign in, on all processes together. */
export type SignInLimit = {
  /** Milliseconds until another attempt is permitted, 0: this one is. */
  attempt(accountName: string, address: string): Promise<number>;
  /** The person has proved who they are. */
  forgive(accountName: string): Promise<void>;
};
