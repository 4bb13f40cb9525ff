// Signing in and out, links, passwords, and who is signed in.
import type { accountEndpoints } from "#contract/dashboard/account.ts";
import type { SignIn } from "#usecases/accounts/sign-in.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

const DONE = { done: true } as const;
const LINK_INVALID = "This link is not valid: it was used, has expired, or was replaced by a newer one. Ask for a new link.";

export function makeAccountRoutes({
  signIn,
  clans,
}: {
  signIn: SignIn;
  clans: Pick<ClanStore, "list" | "read">;
}): Routes<typeof accountEndpoints> {
  return {
    async "sign-in"({ body, address, beginSession }) {
      const result = await signIn.withPassword({ ...body, address });
      if (result.kind === "refused") throw new DashboardError("sign_in_failed", "The name or the password is not right.");
      if (result.kind === "limited") {
        const retryAfterS = Math.ceil(result.retryAfterMs / 1_000);
        const minutes = Math.ceil(retryAfterS / 60);
        throw new DashboardError("rate_limited", `Too many attempts to sign in. Try again in ${minutes} min.`, { retryAfterS });
      }
      await beginSession(result.session);
      return DONE;
    },

    async "look-at-link"({ body }) {
      const facts = await signIn.lookAtLink(body.token);
      if (!facts) throw new DashboardError("link_invalid", LINK_INVALID);
      return facts;
    },

    async "use-link"({ body, beginSession }) {
      const result = await signIn.withLink(body.token, body.password ?? null);
      if (result.kind === "no_link") throw new DashboardError("link_invalid", LINK_INVALID);
      if (result.kind === "password_needed") throw new DashboardError("invalid_request", "This link needs a new password.");
      await beginSession(result.session);
      return DONE;
    },

    async "sign-out"({ endSession }) {
      await endSession();
      return DONE;
    },

    async "read-me"({ who: { account } }) {
      const { name, operator, hasPassword, grants } = account;
      const found = operator ? await clans.list() : [...(await clans.read(grants.map((grant) => grant.clanId))).values()];
      const roleIn = (clanId: string) => grants.find((grant) => grant.clanId === clanId)?.role ?? "owner";
      const named = found.map((clan) => ({ clanId: clan.clanId, name: clan.name, role: roleIn(clan.clanId) }));
      return { name, operator, hasPassword, clans: named };
    },

    async "change-password"({ who, body, beginSession }) {
      const { current, password } = body;
      const result = await signIn.changePassword({ name: who.account.name, generation: who.generation, current, password });
      if (result.kind === "wrong_password") {
        const faults = [{ pointer: "/current", detail: "is not your present password" }];
        throw new DashboardError("invalid_request", "The present password is not right. Nothing was changed.", { faults });
      }
      if (result.kind === "changed_meanwhile") throw new DashboardError("signed_out", "Your account has changed. Sign in again.");
      await beginSession(result.session);
      return DONE;
    },
  };
}
