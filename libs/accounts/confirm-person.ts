// Before a person changes how an account signs in, they prove again who they are, because anyone at an unlocked screen
// has the session.
import type { SignedIn } from "#accounts/sessions.ts";
import type { VerifyPassword } from "#accounts/verify-password.ts";
import type { AccountStore, StoredAccount } from "#accounts/ports.ts";
import { FRESH_SESSION_MS } from "#accounts/bounds.ts";
import type { Clock } from "#kernel/clock.ts";

export type Unconfirmed =
  | { kind: "wrong_password" }
  | { kind: "sign_in_again" }
  | { kind: "changed_meanwhile" }
  | { kind: "limited"; retryAfterMs: number };

/** `current`: the current password, required if the account has one. Otherwise the session must be recent. */
export type ConfirmPerson = (
  who: SignedIn,
  current: string | null,
) => Promise<{ kind: "confirmed"; account: StoredAccount } | Unconfirmed>;

export function makeConfirmPerson(deps: {
  accounts: Pick<AccountStore, "read">;
  verifyPassword: VerifyPassword;
  clock: Clock;
}): ConfirmPerson {
  const { accounts, verifyPassword, clock } = deps;
  return async ({ account: { name }, generation, since, sessionHash }, current) => {
    const account = await accounts.read(name);
    if (account?.generation !== generation) return { kind: "changed_meanwhile" };
    if (account.passwordHash === null) {
      // An account that only links can open has nothing to protect yet.
      const isFresh =
        (account.passkeys.length === 0 && !account.identity) ||
        clock.now().getTime() - since.getTime() <= FRESH_SESSION_MS;
      return isFresh ? { kind: "confirmed", account } : { kind: "sign_in_again" };
    }
    // Counted per session: an attacker with a stolen session cannot prevent the owner, in a new session, from changing
    // the password.
    const attempt = { name, from: { known: sessionHash }, password: current ?? "", hash: account.passwordHash };
    const result = await verifyPassword(attempt);
    if (result.kind === "limited") return result;
    return result.kind === "correct" ? { kind: "confirmed", account } : { kind: "wrong_password" };
  };
}
