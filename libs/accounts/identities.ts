// Sign-in through an OpenID provider, and connecting an account to an identity. Both use the same redirects to the
// provider and back, but for different accounts.
import type { Challenges, SecretOf } from "#accounts/challenges.ts";
import type { ConfirmPerson, Unconfirmed } from "#accounts/confirm-person.ts";
import type { AccountStore, IdentityCheck, IdentityProvider, IdentityStore, SignInLimit } from "#accounts/ports.ts";
import type { Sessions, SignedIn } from "#accounts/sessions.ts";
import { makeSignInByIdentity } from "#accounts/sign-in-by-identity.ts";
import type { Clock } from "#kernel/clock.ts";

/** `url`: where the browser goes. `cookie`: the text of the cookie with which it must return. */
type Begun = { kind: "begun"; url: string; cookie: string } | { kind: "unreachable" };
type Finished =
  | { kind: "signed_in"; session: string }
  | { kind: "connected" }
  /** Not started by this browser, too old, or already finished. */
  | { kind: "not_begun" }
  | { kind: "canceled" }
  | { kind: "not_verified" }
  | { kind: "clocks_differ" }
  | { kind: "unreachable" }
  | { kind: "no_account" }
  | { kind: "taken" }
  | { kind: "changed_meanwhile" };

export type Identities = {
  providerName: string;
  connectedAt(name: string): Promise<Date | null>;
  beginSignIn(origin: string, address: string): Promise<Begun | { kind: "limited"; retryAfterMs: number }>;
  /** Connects the identity to the account of the person who is signed in. */
  beginConnecting(who: SignedIn, origin: string, current: string | null): Promise<Begun | Unconfirmed>;
  finish(
    who: SignedIn | null,
    answer: { origin: string; cookie: string | null; query: string; address: string },
  ): Promise<Finished>;
  /** Ends every session of the account, and opens a new one for the person who made the request. */
  disconnect(
    who: SignedIn,
    current: string | null,
  ): Promise<
    { kind: "disconnected"; session: string } | { kind: "not_connected" } | { kind: "only_way_in" } | Unconfirmed
  >;
};

type Deps = {
  accounts: Pick<AccountStore, "read" | "readOrInvited" | "noteSignIn">;
  store: IdentityStore;
  sessions: Pick<Sessions, "openFor">;
  challenges: Challenges;
  provider: IdentityProvider;
  confirmPerson: ConfirmPerson;
  limit: SignInLimit;
  clock: Clock;
};

/** Registered with the provider. It contains nothing of a request and redirects nowhere else. */
const OIDC_CALLBACK_PATH = "/oidc/callback";

export function makeIdentities(deps: Deps): Identities {
  const { accounts, store, sessions, challenges, provider, clock } = deps;
  const signInByIdentity = makeSignInByIdentity(deps);

  async function begin(
    kind: "oidc-sign-in" | "oidc-connect",
    accountName: string | null,
    origin: string,
  ): Promise<Begun> {
    const { text, secretOf } = await challenges.begin(kind, accountName);
    const url = await provider.begin(checkOf(origin, secretOf));
    return url === null ? { kind: "unreachable" } : { kind: "begun", url, cookie: text };
  }

  return {
    providerName: provider.name,
    connectedAt: async (name) => (await accounts.read(name))?.identity?.connectedAt ?? null,

    async beginSignIn(origin, address) {
      const retryAfterMs = await deps.limit.attemptFrom(address);
      return retryAfterMs > 0 ? { kind: "limited", retryAfterMs } : begin("oidc-sign-in", null, origin);
    },

    async beginConnecting(who, origin, current) {
      const confirmed = await deps.confirmPerson(who, current);
      return confirmed.kind === "confirmed" ? begin("oidc-connect", confirmed.account.name, origin) : confirmed;
    },

    async finish(who, { origin, cookie, query, address }) {
      const signingIn = await challenges.consume(cookie, "oidc-sign-in");
      const challenge = signingIn ?? (await challenges.consume(cookie, "oidc-connect"));
      if (!challenge || (!signingIn && challenge.accountName !== who?.account.name)) return { kind: "not_begun" };
      const verified = await provider.finish({ ...checkOf(origin, challenge.secretOf), query });
      if (verified.kind !== "verified") return verified;
      if (signingIn || !who) return signInByIdentity(verified, address);
      const { name } = who.account;
      const by = { actor: name, via: "dashboard" } as const;
      const account = { name, generation: who.generation };
      const { issuer, subject } = verified;
      return { kind: await store.connect(account, { issuer, subject, connectedAt: clock.now() }, by) };
    },

    async disconnect(who, current) {
      const confirmed = await deps.confirmPerson(who, current);
      if (confirmed.kind !== "confirmed") return confirmed;
      const { name, generation, identity, passwordHash, passkeys } = confirmed.account;
      if (!identity) return { kind: "not_connected" };
      if (passwordHash === null && passkeys.length === 0) return { kind: "only_way_in" };
      const opened = await sessions.openFor({ name, generation: generation + 1 }, () =>
        store.disconnect({ name, generation }, { actor: name, via: "dashboard" }),
      );
      return opened ? { kind: "disconnected", session: opened.session } : { kind: "changed_meanwhile" };
    },
  };
}

function checkOf(origin: string, secretOf: SecretOf): IdentityCheck {
  const redirectUri = `${origin}${OIDC_CALLBACK_PATH}`;
  return { redirectUri, state: secretOf("state"), nonce: secretOf("nonce"), verifier: secretOf("verifier") };
}
