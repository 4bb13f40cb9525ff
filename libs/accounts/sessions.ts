// Sessions of the dashboard: opened by a sign-in, and ended by every change of an account's ways to sign in. Such a
// change raises the account's generation, which ends every earlier session in the same write. Only digests are stored.
import type { Account } from "#domain/account.ts";
import type { AccountStore, Session, SessionStore, StoredAccount } from "#accounts/ports.ts";
import { SESSION_CHARS, SESSION_IDLE_MS, SESSION_LIFE_MS, SESSION_TOUCH_MS } from "#accounts/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";

/**
 * The person who is signed in, and since when. `generation`: that of the account when the session was read.
 * `sessionHash`: identifies the session.
 */
export type SignedIn = {
  account: Account & { hasPassword: boolean };
  generation: number;
  sessionHash: string;
  since: Date;
};

type Owner = Pick<StoredAccount, "name" | "generation">;

export type Sessions = {
  /** The text for the cookie. */
  open(account: Owner): Promise<string>;
  /**
   * Opens the session before it makes the change: if opening it failed after the change, the response would wrongly
   * report that nothing was changed. `account`: as the change leaves it. Returns null and opens no session if the
   * change returns null.
   */
  openFor<T>(account: Owner, change: () => Promise<T | null>): Promise<{ changed: T; session: string } | null>;
  /**
   * Null for a session that is unknown, has expired, or was ended on any process. `isUse`: a person caused the request,
   * so the session is not idle.
   */
  find(text: string, isUse: boolean): Promise<SignedIn | null>;
  end(text: string): Promise<void>;
};

export function makeSessions(deps: {
  sessions: SessionStore;
  accounts: Pick<AccountStore, "read">;
  clock: Clock;
  digest: Digest;
  randomText: (chars: number) => string;
}): Sessions {
  const { sessions, accounts, clock, digest } = deps;

  /** Read for every request, so that a session which another process has ended is ended here, too. */
  async function liveAccountOf(session: Session, now: Date): Promise<StoredAccount | null> {
    if (session.expiresAt <= now) return null;
    const account = await accounts.read(session.accountName);
    return account?.generation === session.generation ? account : null;
  }

  async function open({ name, generation }: Owner): Promise<string> {
    const text = deps.randomText(SESSION_CHARS);
    const now = clock.now();
    const expiresAt = expiryOf(now, now);
    await sessions.add({ hash: digest(text), accountName: name, generation, createdAt: now, seenAt: now, expiresAt });
    return text;
  }

  return {
    open,

    async openFor(account, change) {
      const session = await open(account);
      const changed = await change();
      // If the change was not made, nobody receives the text of the session, which expires unused.
      return changed === null ? null : { changed, session };
    },

    async find(text, isUse) {
      const session = await sessions.read(digest(text));
      const now = clock.now();
      const account = session && (await liveAccountOf(session, now));
      if (!account) return null;
      if (isUse && now.getTime() - session.seenAt.getTime() > SESSION_TOUCH_MS) {
        await sessions.touch(session.hash, { seenAt: now, expiresAt: expiryOf(session.createdAt, now) });
      }
      const { name, operator, grants, generation } = account;
      const signedIn = { name, operator, grants, hasPassword: account.passwordHash !== null };
      return { account: signedIn, generation, sessionHash: session.hash, since: session.createdAt };
    },

    end: (text) => sessions.remove(digest(text)),
  };
}

function expiryOf(createdAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + SESSION_IDLE_MS, createdAt.getTime() + SESSION_LIFE_MS));
}
