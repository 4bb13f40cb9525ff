// Sign-in through an OpenID provider, and connecting an account to an identity.
import type { oidcEndpoints } from "#contract/dashboard/oidc.ts";
import type { Identities } from "#accounts/identities.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { limitedError } from "../http/limited-error.ts";
import type { Routes } from "../http/route.ts";
import { unconfirmedError } from "../http/unconfirmed-error.ts";

/** `identities`: null if no provider is configured. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a table of endpoints, each an independent function
export function makeOidcRoutes({ identities }: { identities: Identities | null }): Routes<typeof oidcEndpoints> {
  function required(): Identities {
    if (identities) return identities;
    throw new DashboardError("not_found", "Sign-in through an identity provider is not set up here.");
  }

  function unreachable(): DashboardError {
    const detail = `${required().providerName} cannot be reached. Try again shortly, or sign in another way.`;
    return new DashboardError("provider_unavailable", detail);
  }

  return {
    "read-provider": async () => ({ name: identities?.providerName ?? null }),

    async "begin-oidc"({ origin, address, beginChallenge }) {
      const begun = await required().beginSignIn(origin, address);
      if (begun.kind === "limited") throw limitedError(begun.retryAfterMs);
      if (begun.kind === "unreachable") throw unreachable();
      beginChallenge(begun.cookie);
      return { url: begun.url };
    },

    async "finish-oidc"({ who, body: { query }, origin, address, challengeCookie, beginSession }) {
      const { providerName: name, ...uses } = required();
      const result = await uses.finish(who, { origin, cookie: challengeCookie, query, address });
      switch (result.kind) {
        case "signed_in":
          await beginSession(result.session);
          return { kind: "signed_in" };
        case "connected":
          return { kind: "connected" };
        case "unreachable":
          throw unreachable();
        case "changed_meanwhile":
          throw unconfirmedError(result);
        case "taken":
          throw new DashboardError(
            "conflict",
            `Another account is connected to this ${name} account. Nothing was changed.`,
          );
        default:
          throw new DashboardError("sign_in_failed", reasons[result.kind].replaceAll("{name}", name));
      }
    },

    async "read-identity"({ who }) {
      const connectedAt = identities && (await identities.connectedAt(who.account.name));
      return { provider: identities?.providerName ?? null, connectedAt: connectedAt?.toISOString() ?? null };
    },

    async "connect-identity"({ who, body: { current }, origin, beginChallenge }) {
      const begun = await required().beginConnecting(who, origin, current);
      if (begun.kind === "unreachable") throw unreachable();
      if (begun.kind !== "begun") throw unconfirmedError(begun);
      beginChallenge(begun.cookie);
      return { url: begun.url };
    },

    async "disconnect-identity"({ who, body: { current }, beginSession }) {
      const result = await required().disconnect(who, current);
      if (result.kind === "not_connected")
        throw new DashboardError("not_found", "Your account is not connected. Nothing was changed.");
      if (result.kind === "only_way_in") {
        throw new DashboardError(
          "conflict",
          "This is the only way to sign in to your account. Set a password first. Nothing was changed.",
        );
      }
      if (result.kind !== "disconnected") throw unconfirmedError(result);
      await beginSession(result.session);
      return { done: true };
    },
  };
}

const reasons = {
  not_begun:
    "This sign-in was not started in this browser within the last 10 minutes, or it was completed already. Start again.",
  canceled: "The sign-in with {name} was canceled.",
  not_verified: "The sign-in with {name} did not succeed. Start again.",
  clocks_differ:
    "The sign-in with {name} did not succeed: the clock of this dashboard and that of {name} differ. Ask the operator to set the clock.",
  no_account: "No account of this dashboard belongs to your {name} account. Ask an operator for an invitation.",
} as const;
