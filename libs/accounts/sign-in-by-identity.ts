// Signs a person in by an identity that the provider has proved. It opens invited accounts only: the account that is
// connected to the identity, otherwise the one whose name is its verified e-mail address, otherwise an invitation whose
// name is its subject. A name alone proves nothing: who opens an account by it is alone in it from then on.
import { isAccountName } from "#domain/account.ts";
import type { AccountStore, IdentityStore, SignInLimit, StoredAccount } from "#accounts/ports.ts";
import type { Sessions } from "#accounts/sessions.ts";
import type { Clock } from "#kernel/clock.ts";

type VerifiedIdentity = { issuer: string; subject: string; email: string | null };

/** The text of a session's cookie for the account that the identity opens; from then on it is connected to it. */
export type SignInByIdentity = (
  verified: VerifiedIdentity,
  address: string,
) => Promise<{ kind: "signed_in"; session: string } | { kind: "no_account" }>;

export function makeSignInByIdentity(deps: {
  accounts: Pick<AccountStore, "readOrInvited" | "noteSignIn">;
  store: Pick<IdentityStore, "find" | "claim">;
  sessions: Pick<Sessions, "openFor">;
  limit: Pick<SignInLimit, "noteSuccessFrom">;
  clock: Clock;
}): SignInByIdentity {
  const { accounts, store } = deps;
  const read = (name: string) => accounts.readOrInvited(name, deps.clock.now());

  return async ({ issuer, subject, email }, address) => {
    const connected = await store.find(issuer, subject);
    const account = connected ?? (await namedBy({ issuer, subject, email }));
    if (!account) return { kind: "no_account" };
    // Before the account is changed: a failure after the change would be reported as if nothing was changed.
    await deps.limit.noteSuccessFrom(address);
    const now = deps.clock.now();
    const by = { actor: account.name, via: "dashboard" } as const;
    const { name, generation } = account;
    const opened = connected
      ? await deps.sessions.openFor(account, async () => {
          await accounts.noteSignIn(name, now);
          return account;
        })
      : await deps.sessions.openFor({ name, generation: generation + 1 }, async () => {
          const kind = await store.claim(account, { issuer, subject, connectedAt: now }, by, now);
          return kind === "connected" ? account : null;
        });
    return opened ? { kind: "signed_in", session: opened.session } : { kind: "no_account" };
  };

  async function namedBy({ issuer, subject, email }: VerifiedIdentity): Promise<StoredAccount | null> {
    // Letters beyond ASCII can fold to ASCII letters: another address could then match the invited one.
    const address = email !== null && /^[!-~]+$/.test(email) ? email.toLowerCase() : null;
    if (address?.includes("@") && isAccountName(address)) {
      const account = await read(address);
      // Once an account is connected, only that subject opens it, because the address may now belong to somebody else.
      // If the person has disconnected the identity, the address does not connect it again.
      if (account && !account.isDisconnected && account.identity?.issuer !== issuer) return account;
    }
    // Some providers let people choose their subject, so it must never open an account that is in use. A subject with
    // "@" is ignored: it would look like an address that nobody has verified.
    if (subject.includes("@") || !isAccountName(subject)) return null;
    const account = await read(subject);
    return account && isUnused(account) ? account : null;
  }
}

/** Invited or reset, and nobody has chosen how to sign in since. */
function isUnused({ passwordHash, passkeys, identity }: StoredAccount): boolean {
  return passwordHash === null && passkeys.length === 0 && identity === null;
}
