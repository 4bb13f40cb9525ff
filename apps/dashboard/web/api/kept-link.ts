// The link that a person opened before they went to the identity provider to sign in: it is opened again when they come
// back, in the same tab.
const KEY = "clanxp-link";

/** `token`: undefined if the person opened none. */
export function keepLink(token: string | undefined): void {
  if (token === undefined) window.sessionStorage.removeItem(KEY);
  else window.sessionStorage.setItem(KEY, token);
}

/** The address of the link, which is not kept any more. */
export function takeLink(): string | null {
  const token = window.sessionStorage.getItem(KEY);
  keepLink(undefined);
  return token && `/link#${token}`;
}
