// Passkeys: adding them to an account, signing in with them, removing them. No answer reveals whether an account or a
// passkey exists.
import { PASSKEYS_MAX } from "#domain/account.ts";
import type { Challenges } from "#accounts/challenges.ts";
import type { ConfirmPerson, Unconfirmed } from "#accounts/confirm-person.ts";
import type {
  AccountStore,
  Authenticators,
  NewCredential,
  Passkey,
  PasskeyStore,
  SignInLimit,
  Site,
  StoredAccount,
  UsedCredential,
} from "#accounts/ports.ts";
import type { Sessions, SignedIn } from "#accounts/sessions.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";
import type { Log } from "#kernel/log.ts";

/** `options`: for the browser. `cookie`: the text of the cookie that the answer must come with. */
export type Begun = { kind: "begun"; options: object; cookie: string };
type Answer<Credential> = { site: Site; cookie: string | null; credential: Credential };

export type Passkeys = {
  list(name: string): Promise<readonly Passkey[]>;
  beginAdding(who: SignedIn, site: Site, current: string | null): Promise<Begun | { kind: "full" } | Unconfirmed>;
  add(
    who: SignedIn,
    answer: Answer<NewCredential> & { name: string },
  ): Promise<{ kind: "added" } | { kind: "known" } | { kind: "not_accepted" } | { kind: "changed_meanwhile" }>;
  /** Ends every session of the account, and opens a new one for the person who made the request. */
  remove(
    who: SignedIn,
    id: string,
    current: string | null,
  ): Promise<{ kind: "removed"; session: string } | { kind: "no_passkey" } | { kind: "only_way_in" } | Unconfirmed>;
  beginByLink(token: string, site: Site): Promise<Begun | { kind: "no_link" }>;
  /** Spends the link: it has no further use. */
  addByLink(
    token: string,
    answer: Answer<NewCredential> & { name: string },
  ): Promise<{ kind: "signed_in"; session: string } | { kind: "no_link" } | { kind: "not_accepted" }>;
  beginSignIn(site: Site, address: string): Promise<Begun | { kind: "limited"; retryAfterMs: number }>;
  signIn(
    answer: Answer<UsedCredential> & { address: string },
  ): Promise<{ kind: "signed_in"; session: string } | { kind: "not_accepted" }>;
};

type Deps = {
  accounts: Pick<AccountStore, "read" | "findByLink">;
  store: PasskeyStore;
  sessions: Pick<Sessions, "openFor">;
  challenges: Challenges;
  authenticators: Authenticators;
  confirmPerson: ConfirmPerson;
  limit: SignInLimit;
  clock: Clock;
  digest: Digest;
  log: Pick<Log, "warn">;
};

/** The purpose of the only secret of a passkey's challenge. */
const PURPOSE = "challenge";

// oxlint-disable-next-line eslint/max-lines-per-function -- short methods that share challenges and credentials
export function makePasskeys(deps: Deps): Passkeys {
  const { accounts, store, sessions, authenticators, challenges, clock, digest } = deps;

  /** The user id that authenticators store. It is not a name, because it may be read from a lost security key. */
  const handleOf = ({ name, createdAt }: StoredAccount): string =>
    digest(`passkeys of ${name} since ${createdAt.toISOString()}`);

  async function begin(account: StoredAccount, site: Site, kind: "passkey-add" | "passkey-link"): Promise<Begun> {
    const { text, secretOf } = await challenges.begin(kind, account.name);
    const challenge = secretOf(PURPOSE);
    const filed = { name: account.name, handle: handleOf(account) };
    const options = await authenticators.optionsToAdd({ site, challenge, account: filed, known: account.passkeys });
    return { kind: "begun", options, cookie: text };
  }

  async function verifyCreated(
    accountName: string,
    kind: "passkey-add" | "passkey-link",
    answer: Answer<NewCredential> & { name: string },
  ) {
    const { site, cookie, credential, name } = answer;
    const challenge = await challenges.consume(cookie, kind);
    if (challenge?.accountName !== accountName) return null;
    const facts = await authenticators.verifyRegistration({ site, challenge: challenge.secretOf(PURPOSE), credential });
    return facts && { ...facts, name, createdAt: clock.now(), lastUsedAt: null };
  }

  return {
    list: async (name) => (await accounts.read(name))?.passkeys ?? [],

    async beginAdding(who, site, current) {
      const confirmed = await deps.confirmPerson(who, current);
      if (confirmed.kind !== "confirmed") return confirmed;
      return confirmed.account.passkeys.length >= PASSKEYS_MAX
        ? { kind: "full" }
        : begin(confirmed.account, site, "passkey-add");
    },

    async add({ account: { name }, generation }, answer) {
      const passkey = await verifyCreated(name, "passkey-add", answer);
      if (!passkey) return { kind: "not_accepted" };
      const kind = await store.add({ name, generation }, passkey, { actor: name, via: "dashboard" });
      return { kind: kind === "not_added" ? "changed_meanwhile" : kind };
    },

    async remove(who, id, current) {
      const confirmed = await deps.confirmPerson(who, current);
      if (confirmed.kind !== "confirmed") return confirmed;
      const { name, generation, passkeys, passwordHash, identity } = confirmed.account;
      if (!passkeys.some((passkey) => passkey.id === id)) return { kind: "no_passkey" };
      if (passwordHash === null && passkeys.length === 1 && !identity) return { kind: "only_way_in" };
      const opened = await sessions.openFor({ name, generation: generation + 1 }, () =>
        store.remove({ name, generation }, id, { actor: name, via: "dashboard" }),
      );
      return opened ? { kind: "removed", session: opened.session } : { kind: "changed_meanwhile" };
    },

    async beginByLink(token, site) {
      const account = await accounts.findByLink(digest(token), clock.now());
      return account?.link?.kind === "set-password" ? begin(account, site, "passkey-link") : { kind: "no_link" };
    },

    async addByLink(token, answer) {
      const hash = digest(token);
      const found = await accounts.findByLink(hash, clock.now());
      if (!found) return { kind: "no_link" };
      const passkey = await verifyCreated(found.name, "passkey-link", answer);
      if (!passkey) return { kind: "not_accepted" };
      const opened = await sessions.openFor({ name: found.name, generation: found.generation + 1 }, () =>
        store.addByLink(hash, clock.now(), passkey, { actor: found.name, via: "dashboard" }),
      );
      return opened ? { kind: "signed_in", session: opened.session } : { kind: "no_link" };
    },

    async beginSignIn(site, address) {
      const retryAfterMs = await deps.limit.attemptFrom(address);
      if (retryAfterMs > 0) return { kind: "limited", retryAfterMs };
      const { text, secretOf } = await challenges.begin("passkey-sign-in", null);
      return {
        kind: "begun",
        options: await authenticators.optionsToSignIn({ site, challenge: secretOf(PURPOSE) }),
        cookie: text,
      };
    },

    async signIn({ site, cookie, credential, address }) {
      const challenge = await challenges.consume(cookie, "passkey-sign-in");
      const account = challenge && (await store.find(credential.id));
      const passkey = account?.passkeys.find(({ id }) => id === credential.id);
      if (!challenge || !account || !passkey) return { kind: "not_accepted" };
      const use = await authenticators.verifyAuthentication({
        site,
        challenge: challenge.secretOf(PURPOSE),
        credential,
        passkey,
      });
      if (!use || credential.response.userHandle !== handleOf(account)) return { kind: "not_accepted" };
      const opened = await sessions.openFor(account, () =>
        store.noteUse(account, passkey.id, { counter: use.counter, at: clock.now() }),
      );
      if (!opened) return { kind: "not_accepted" };
      // Of a copied key, or of a password manager that does not count: its owner could not sign in any more.
      if (passkey.counter > 0 && use.counter <= passkey.counter)
        deps.log.warn({ account: account.name, passkey: passkey.id }, "passkey.counter_not_rising");
      await deps.limit.noteSuccessFrom(address);
      return { kind: "signed_in", session: opened.session };
    },
  };
}
