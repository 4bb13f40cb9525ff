// Devices on which a person has signed in with a password. A cookie proves it and nothing is stored: the cookie is
// derived from the password's hash, which nobody else knows, so a new password invalidates it. It does not sign anybody
// in; it only separates other people's attempts from those of the account's owner.
import type { StoredAccount } from "#accounts/ports.ts";
import type { Digest } from "#kernel/digest.ts";

/** 119 random bits: no two devices get the same one. */
const NONCE_CHARS = 20;

type Owner = Pick<StoredAccount, "name" | "passwordHash">;
export type Devices = {
  /** The text for the cookie; null for an account without a password, which nobody can guess. */
  issue(account: Owner): string | null;
  isOf(text: string, account: Owner): boolean;
};

export function makeDevices({
  digest,
  randomText,
}: {
  digest: Digest;
  randomText: (chars: number) => string;
}): Devices {
  function textFor({ name, passwordHash }: Owner, nonce: string): string | null {
    return passwordHash === null ? null : `${nonce}${digest(`device ${nonce} ${name} ${passwordHash}`)}`;
  }
  return {
    issue: (account) => textFor(account, randomText(NONCE_CHARS)),
    isOf(text, account) {
      const expected = textFor(account, text.slice(0, NONCE_CHARS));
      // Compares digests of both: the duration of the comparison reveals nothing about the text.
      return expected !== null && digest(text) === digest(expected);
    },
  };
}
