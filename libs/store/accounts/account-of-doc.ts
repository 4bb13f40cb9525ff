// Converts an account's document to the form that the use cases take.
import type { AccountDoc } from "#store/accounts/account-models.ts";
import type { StoredAccount } from "#usecases/accounts/ports.ts";

export function accountOfDoc({ _id, removedAt: _removedAt, ...facts }: AccountDoc): StoredAccount {
  const { passkeys = [], identity = null, isDisconnected = false } = facts;
  return { name: _id, ...facts, passkeys, identity, isDisconnected };
}
