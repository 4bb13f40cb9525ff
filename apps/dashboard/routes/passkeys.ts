// Passkeys: added and removed by the person who is signed in, chosen by the holder of an invitation, and used to sign
// in.
import { isIP } from "node:net";
import type { passkeyEndpoints } from "#contract/dashboard/passkeys.ts";
import { PASSKEYS_MAX } from "#domain/account.ts";
import type { Passkeys } from "#accounts/passkeys.ts";
import type { Site } from "#accounts/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { limitedError } from "../http/limited-error.ts";
import { linkError } from "../http/link-error.ts";
import type { Routes } from "../http/route.ts";
import { unconfirmedError } from "../http/unconfirmed-error.ts";

const DONE = { done: true } as const;
const NOT_ACCEPTED = "The passkey was not accepted. Nothing was changed: try again.";

type Deps = { passkeys: Passkeys };
type PasskeyRoutes = Routes<typeof passkeyEndpoints>;
type OwnRoutes = "list-passkeys" | "begin-passkey" | "add-passkey" | "remove-passkey";

export function makePasskeyRoutes(deps: Deps): PasskeyRoutes {
  return { ...ownRoutes(deps), ...entryRoutes(deps) };
}

/** For the person who is signed in. */
function ownRoutes({ passkeys }: Deps): Pick<PasskeyRoutes, OwnRoutes> {
  return {
    async "list-passkeys"({ who }) {
      const listed = await passkeys.list(who.account.name);
      const facts = listed.map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      }));
      return { passkeys: facts, max: PASSKEYS_MAX };
    },

    async "begin-passkey"({ who, body: { current }, origin, beginChallenge }) {
      const begun = await passkeys.beginAdding(who, siteOf(origin), current);
      if (begun.kind === "full")
        throw new DashboardError("conflict", `An account has at most ${PASSKEYS_MAX} passkeys. Remove one first.`);
      if (begun.kind !== "begun") throw unconfirmedError(begun);
      beginChallenge(begun.cookie);
      return { options: { ...begun.options } };
    },

    async "add-passkey"({ who, body: { name, credential }, origin, challengeCookie }) {
      const result = await passkeys.add(who, { site: siteOf(origin), cookie: challengeCookie, credential, name });
      if (result.kind === "known")
        throw new DashboardError("conflict", "This passkey is already in use. Nothing was changed.");
      if (result.kind === "changed_meanwhile") throw unconfirmedError(result);
      if (result.kind !== "added") throw new DashboardError("invalid_request", NOT_ACCEPTED);
      return DONE;
    },

    async "remove-passkey"({ who, body: { id, current }, beginSession }) {
      const result = await passkeys.remove(who, id, current);
      if (result.kind === "no_passkey")
        throw new DashboardError("not_found", "Your account has no such passkey. Nothing was changed.");
      if (result.kind === "only_way_in") {
        throw new DashboardError(
          "conflict",
          "This passkey is the only way to sign in to your account. Set a password first. Nothing was changed.",
        );
      }
      if (result.kind !== "removed") throw unconfirmedError(result);
      await beginSession(result.session);
      return DONE;
    },
  };
}

/** For a person without a session: with an invitation, or with a passkey. */
function entryRoutes({ passkeys }: Deps): Omit<PasskeyRoutes, OwnRoutes> {
  return {
    async "begin-passkey-by-link"({ body: { token }, origin, beginChallenge }) {
      const begun = await passkeys.beginByLink(token, siteOf(origin));
      if (begun.kind !== "begun") throw linkError();
      beginChallenge(begun.cookie);
      return { options: { ...begun.options } };
    },

    async "use-link-with-passkey"({ body: { token, name, credential }, origin, challengeCookie, beginSession }) {
      const result = await passkeys.addByLink(token, {
        site: siteOf(origin),
        cookie: challengeCookie,
        credential,
        name,
      });
      if (result.kind === "no_link") throw linkError();
      if (result.kind === "not_accepted") throw new DashboardError("invalid_request", NOT_ACCEPTED);
      await beginSession(result.session);
      return DONE;
    },

    async "begin-passkey-sign-in"({ origin, address, beginChallenge }) {
      const begun = await passkeys.beginSignIn(siteOf(origin), address);
      if (begun.kind === "limited") throw limitedError(begun.retryAfterMs);
      beginChallenge(begun.cookie);
      return { options: { ...begun.options } };
    },

    async "sign-in-with-passkey"({ body: { credential }, origin, address, challengeCookie, beginSession }) {
      const result = await passkeys.signIn({ site: siteOf(origin), cookie: challengeCookie, credential, address });
      if (result.kind !== "signed_in")
        throw new DashboardError("sign_in_failed", "This passkey does not sign in to any account.");
      await beginSession(result.session);
      return DONE;
    },
  };
}

/** Browsers bind a passkey to a host name and create none for an IP address. */
function siteOf(origin: string): Site {
  const { hostname: rpId } = new URL(origin);
  if (isIP(rpId.replaceAll(/^\[|\]$/g, "")) === 0) return { origin, rpId };
  throw new DashboardError(
    "conflict",
    "Passkeys require a host name: open the dashboard at a host name, such as localhost, or set DASHBOARD_URL.",
  );
}
