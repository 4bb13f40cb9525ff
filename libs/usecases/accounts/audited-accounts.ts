// Changes of accounts with their audit record, which is stored first: a change without a record never happens.
import type { Account } from "#domain/account.ts";
import type { Actor } from "#domain/audit.ts";
import type { Invited, ManageAccounts } from "#usecases/accounts/manage-accounts.ts";
import type { AccountStore, StoredAccount } from "#usecases/accounts/ports.ts";
import type { AuditStore } from "#usecases/audit/ports.ts";
import type { ClanStore } from "#usecases/clans/ports.ts";

/** As those of ManageAccounts. Throws AppError where the record could not be stored; then nothing was changed. */
export type AuditedAccounts = {
  invite(account: Account, by: Actor): ReturnType<ManageAccounts["invite"]>;
  reset(name: string, by: Actor): Promise<Invited | { kind: "no_account" }>;
  remove(name: string, by: Actor): Promise<StoredAccount | null>;
};

export function makeAuditedAccounts(world: {
  manage: Pick<ManageAccounts, "invite" | "reset" | "remove">;
  accounts: Pick<AccountStore, "read">;
  clans: Pick<ClanStore, "read">;
  audit: Pick<AuditStore, "note">;
}): AuditedAccounts {
  const { manage, accounts, clans, audit } = world;

  return {
    async invite(account, by) {
      const { name, operator, grants } = account;
      const known = await clans.read(grants.map(({ clanId }) => clanId));
      // What will not be done leaves no record.
      const isPossible = grants.every(({ clanId }) => known.has(clanId)) && !(await accounts.read(name));
      if (isPossible) {
        const after = { operator, clans: [...grants] };
        await audit.note(by, { action: "account.invite", clanId: clanOf(account), target: name, before: null, after });
      }
      return manage.invite(account);
    },

    async reset(name, by) {
      const account = await accounts.read(name);
      if (!account) return { kind: "no_account" };
      const before = { hasPassword: account.passwordHash !== null, link: "none" };
      const after = { hasPassword: false, link: "new" };
      await audit.note(by, { action: "account.reset", clanId: clanOf(account), target: name, before, after });
      return manage.reset(name);
    },

    async remove(name, by) {
      const account = await accounts.read(name);
      if (!account) return null;
      const before = { operator: account.operator, clans: [...account.grants] };
      await audit.note(by, { action: "account.remove", clanId: clanOf(account), target: name, before, after: null });
      return manage.remove(name);
    },
  };
}

/** In whose log the change is; an operator's account is in none. */
function clanOf({ grants }: Account): string | null {
  return grants[0]?.clanId ?? null;
}
