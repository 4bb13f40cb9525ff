// Signing in and out, links, passwords, and who is signed in.
import { roleIn } from "#domain/account.ts";
import type { accountEndpoints } from "#contract/dashboard/account.ts";
import type { SignIn } from "#accounts/sign-in.ts";
import type { ClanStore } from "#clans/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { linkError } from "../http/link-error.ts";
import { limitedError } from "../http/limited-error.ts";
import type { Routes } from "../http/route.ts";
import { unconfirmedError } from "../http/unconfirmed-error.ts";

/** Every page reads them twice a minute; operators search for other clans. */
const CLANS_LISTED_MAX = 100;
const DONE = { done: true } as const;

type Deps = { signIn: SignIn; clans: Pick<ClanStore, "search" | "read">; docsUrl: string | null; version: string };

export function makeAccountRoutes({ signIn, clans, docsUrl, version }: Deps): Routes<typeof accountEndpoints> {
  return {
    async "sign-in"({ body, address, device, beginSession }) {
      const result = await signIn.withPassword({ ...body, address, device });
      if (result.kind === "rejected")
        throw new DashboardError("sign_in_failed", "The name or the password is incorrect.");
      if (result.kind === "limited") throw limitedError(result.retryAfterMs);
      await beginSession(result.session, result.device);
      return DONE;
    },

    async "look-at-link"({ body }) {
      const facts = await signIn.readLink(body.token);
      if (!facts) throw linkError();
      return facts;
    },

    async "use-link"({ body, beginSession }) {
      const result = await signIn.withLink(body.token, body.password ?? null);
      if (result.kind === "no_link") throw linkError();
      if (result.kind === "password_needed")
        throw new DashboardError("invalid_request", "This link needs a new password.");
      await beginSession(result.session, result.device);
      return DONE;
    },

    async "accept-invitation"({ who, body }) {
      const result = await signIn.accept(who, body.token);
      if (result.kind === "accepted") return { clanId: result.clanId };
      if (result.kind === "no_link") throw linkError();
      if (result.kind === "operator")
        throw new DashboardError("conflict", "As an operator, you may do everything in this clan already.");
      const own = `You are signed in as ${who.account.name}.`;
      throw new DashboardError("conflict", `This invitation is for ${result.accountName}. ${own}`);
    },

    async "sign-out"({ endSession }) {
      await endSession();
      return DONE;
    },

    async "read-me"({ who: { account } }) {
      const { name, operator, hasPassword, grants } = account;
      const { items, next } = operator
        ? await clans.search("", { limit: CLANS_LISTED_MAX, after: null })
        : { items: [...(await clans.read(grants.map((grant) => grant.clanId))).values()], next: null };
      const roleOf = (clanId: string) => roleIn(account, clanId) ?? "owner";
      const named = items.map((clan) => ({ clanId: clan.clanId, name: clan.name, role: roleOf(clan.clanId) }));
      // In an order that stays: the first one is opened after the sign-in.
      if (!operator) named.sort((a, b) => a.name.localeCompare(b.name) || (a.clanId < b.clanId ? -1 : 1));
      return { name, operator, hasPassword, clans: named, hasMoreClans: next !== null, docsUrl, version };
    },

    async "change-password"({ who, body, beginSession }) {
      const result = await signIn.changePassword(who, body);
      if (result.kind !== "changed") throw unconfirmedError(result);
      await beginSession(result.session, result.device);
      return DONE;
    },
  };
}
