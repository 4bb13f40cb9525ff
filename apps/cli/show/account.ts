// Accounts in the output of the CLI. Only the result that created a link contains it.
import type { Account } from "#domain/account.ts";
import { hasWayIn } from "#accounts/has-way-in.ts";
import type { StoredAccount } from "#accounts/ports.ts";
import type { Invited } from "#accounts/manage-accounts.ts";
import type { CommandResult } from "../cli.ts";
import { facts, table } from "./text.ts";

/** The token follows the `#`: browsers do not send that part, so no server or proxy logs it. */
function linkTo(dashboardUrl: string, token: string): string {
  return `${dashboardUrl}/link#${token}`;
}

export function invitedResult(
  { account, token, expiresAt }: Invited,
  dashboardUrl: string,
  what: string,
): CommandResult {
  const link = linkTo(dashboardUrl, token);
  const about = facts([
    ["account", account.name],
    ["may", rolesOf(account)],
  ]);
  return {
    json: { ...accountJson(account), link, linkExpiresAt: expiresAt.toISOString() },
    text: ({ time }) =>
      `${about}\n\n  ${link}\n\n${what} The link works once, until ${time(expiresAt)}. It is shown only now.`,
  };
}

export function accountResult(account: StoredAccount, note: string): CommandResult {
  return {
    json: storedJson(account),
    text: `${facts([
      ["account", account.name],
      ["may", rolesOf(account)],
    ])}\n${note}`,
  };
}

/** `sessions`: the generation of the newest session of each account. */
type Present = { now: Date; sessions: ReadonlyMap<string, number> };

export function accountsResult(accounts: readonly StoredAccount[], present: Present): CommandResult {
  return {
    json: { accounts: accounts.map(storedJson) },
    text({ time }) {
      if (accounts.length === 0) return "No accounts yet.";
      const rows = accounts.map((account) => [
        account.name,
        rolesOf(account),
        stateOf(account, present),
        account.lastSignInAt ? time(account.lastSignInAt) : "never",
      ]);
      return table(["ACCOUNT", "MAY", "STATE", "LAST SIGN-IN"], rows);
    },
  };
}

function accountJson({ name, operator, grants }: Account) {
  return { name, operator, clans: grants.map(({ clanId, role }) => ({ clanId, role })) };
}

function storedJson(account: StoredAccount) {
  return {
    ...accountJson(account),
    hasPassword: account.passwordHash !== null,
    passkeys: account.passkeys.length,
    identity: account.identity && { issuer: account.identity.issuer, subject: account.identity.subject },
    createdAt: account.createdAt.toISOString(),
    lastSignInAt: account.lastSignInAt?.toISOString() ?? null,
    linkExpiresAt: account.link?.expiresAt.toISOString() ?? null,
  };
}

function rolesOf({ operator, grants }: Account): string {
  return operator ? "operator" : grants.map(({ clanId, role }) => `${role} of ${clanId}`).join(", ") || "nothing";
}

function stateOf(account: StoredAccount, { now, sessions }: Present): string {
  if (hasWayIn(account)) return "active";
  if (sessions.get(account.name) === account.generation) return "active, by link";
  return account.link && account.link.expiresAt > now ? "invited" : "link expired";
}
