// The accounts of the dashboard, by the same use cases as `clanxp account`.
import type { AccountFacts, accountsEndpoints, InvitedAccount } from "#contract/dashboard/accounts.ts";
import { AccountCursor, encodeCursor } from "#contract/page.ts";
import { hasWayIn } from "#accounts/has-way-in.ts";
import type { Invited, ManageAccounts } from "#accounts/manage-accounts.ts";
import type { AccountStore, StoredAccount } from "#accounts/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

/** A page that people can survey; a large installation has thousands. */
const ACCOUNTS_PER_PAGE = 50;

export function makeAccountsRoutes(deps: {
  accounts: Pick<AccountStore, "search">;
  manage: ManageAccounts;
  clock: Clock;
}): Routes<typeof accountsEndpoints> {
  const { accounts, manage, clock } = deps;

  /** Operators who remove or reset their own account would sign themselves out. */
  function requireOther(name: string, own: string): void {
    if (name !== own) return;
    throw new DashboardError(
      "conflict",
      "This is your own account: another operator must do this. Nothing was changed.",
    );
  }

  return {
    async "list-accounts"({ query: { search = "", cursor } }) {
      const now = clock.now();
      const after = positionIn(AccountCursor, cursor)?.[0] ?? null;
      const { items, next } = await accounts.search(search, { limit: ACCOUNTS_PER_PAGE, after });
      return {
        accounts: items.map((account) => factsOf(account, now)),
        nextCursor: next === null ? null : encodeCursor([next]),
      };
    },

    async "invite-account"({ body: { name, may }, by }) {
      const grants = may.kind === "clan" ? [{ clanId: may.clanId, role: may.role }] : [];
      const invited = await manage.invite({ name, operator: may.kind === "operator", grants }, by);
      switch (invited.kind) {
        case "invited":
          return invitedOf(invited);
        case "name_taken": {
          const faults = [{ pointer: "/name", detail: "belongs to an account that exists" }];
          const fix = `On the page People of a clan, its owner can invite it; clanxp account grant ${name} gives it a role.`;
          throw new DashboardError("conflict", `The account ${name} exists. Nothing was changed. ${fix}`, { faults });
        }
        case "clan_not_found":
          throw new DashboardError("not_found", `There is no clan ${invited.clanId}. Nothing was changed.`);
      }
    },

    async "reset-account"({ params: { name }, who, by }) {
      requireOther(name, who.account.name);
      const reset = await manage.reset(name, by);
      if (reset.kind === "invited") return invitedOf(reset);
      throw noAccount(name);
    },

    async "remove-account"({ params: { name }, who, by }) {
      requireOther(name, who.account.name);
      if (!(await manage.remove(name, by))) throw noAccount(name);
      return { done: true };
    },
  };
}

function factsOf({ name, operator, grants, lastSignInAt, ...account }: StoredAccount, now: Date): AccountFacts {
  const clans = grants.map(({ clanId, role }) => ({ clanId, role }));
  return { name, operator, clans, link: linkOf(account, now), lastSignInAt: lastSignInAt?.toISOString() ?? null };
}

/** A person who has a way to sign in needs no link. */
function linkOf(
  account: Pick<StoredAccount, "passwordHash" | "passkeys" | "identity" | "link">,
  now: Date,
): AccountFacts["link"] {
  if (hasWayIn(account)) return "none";
  return account.link && account.link.expiresAt > now ? "open" : "expired";
}

function invitedOf({ account, token, expiresAt }: Invited): InvitedAccount {
  return { name: account.name, token, expiresAt: expiresAt.toISOString() };
}

function noAccount(name: string): DashboardError {
  return new DashboardError("not_found", `There is no account ${name}. Nothing was changed.`);
}
