// People who sign in to the dashboard, and what each role permits. An API key never has an account's rights, and an
// account never has a key's.

export const clanRoles = ["owner", "moderator", "viewer"] as const;
export type ClanRole = (typeof clanRoles)[number];

/** A person's role in one clan. */
export type Grant = { clanId: string; role: ClanRole };

export type Account = {
  /** In lower case, because people type it. */
  name: string;
  /** May do everything in all clans. */
  operator: boolean;
  grants: readonly Grant[];
};

/** What a request requires of the account's role in the clan that its path names. */
const rolesWith = {
  viewer: clanRoles,
  /** Reads API keys. */
  "key-viewer": ["owner", "viewer"],
  /** Gives and takes XP: as much as the clan permits if the account is a moderator's. */
  moderator: ["owner", "moderator"],
  owner: ["owner"],
  /** No role in a clan is enough. */
  operator: [],
} as const satisfies Record<string, readonly ClanRole[]>;
/** `signed-in`: any account. */
export type Access = keyof typeof rolesWith | "signed-in";

/** Long enough for an e-mail address. */
const ACCOUNT_NAME_PATTERN = /^[a-z0-9][a-z0-9._@+-]{0,99}$/;
export const PASSWORD_CHARS_MIN = 12;
/** Far longer than any passphrase; a longer text would only cost time. */
export const PASSWORD_CHARS_MAX = 512;

/** A person's devices. Each passkey is another way to sign in that must be protected. */
export const PASSKEYS_MAX = 10;
export const PASSKEY_NAME_CHARS_MAX = 60;

export function isAccountName(text: string): boolean {
  return ACCOUNT_NAME_PATTERN.test(text);
}

/** Whether the account may do what requires this access; `clanId`: the clan that is read or changed. */
export function mayAct(account: Pick<Account, "operator" | "grants">, access: Access, clanId: string | null): boolean {
  if (access === "signed-in" || account.operator) return true;
  const role = roleIn(account, clanId);
  const permitted: readonly ClanRole[] = rolesWith[access];
  return role !== undefined && permitted.includes(role);
}

/** Operators and owners have no bounds. */
export function isModerator(account: Account, clanId: string): boolean {
  return !account.operator && roleIn(account, clanId) === "moderator";
}

export function roleIn({ grants }: Pick<Account, "grants">, clanId: string | null): ClanRole | undefined {
  return grants.find((grant) => grant.clanId === clanId)?.role;
}
