// Whether a person has chosen how to sign in. Without a way in, only a link opens the account.
import type { StoredAccount } from "#accounts/ports.ts";

export function hasWayIn({
  passwordHash,
  passkeys,
  identity,
}: Pick<StoredAccount, "passwordHash" | "passkeys" | "identity">): boolean {
  return passwordHash !== null || passkeys.length > 0 || identity !== null;
}
