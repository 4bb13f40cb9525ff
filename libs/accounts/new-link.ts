// The secret of a link that works once, and what is stored of it.
import { ACCOUNT_LINK_CHARS, ACCOUNT_LINK_MS } from "#accounts/bounds.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";

/** `token` is the secret. It is stored nowhere and shown only once. */
export type NewLink = { token: string; hash: string; createdAt: Date; expiresAt: Date };
export type LinkDeps = { clock: Clock; digest: Digest; randomText: (chars: number) => string };

export function newLink({ clock, digest, randomText }: LinkDeps): NewLink {
  const token = randomText(ACCOUNT_LINK_CHARS);
  const createdAt = clock.now();
  return { token, hash: digest(token), createdAt, expiresAt: new Date(createdAt.getTime() + ACCOUNT_LINK_MS) };
}
