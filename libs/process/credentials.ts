// Removes secrets from texts of other software: drivers include whole connection strings in their errors.

/**
 * From `://` to the last `@` before a space: passwords that should have been percent-encoded may contain `/`, `@` and
 * `:`.
 */
const USER_INFO = /:\/\/\S*@/g;
/** As an option of a URL. */
const PASSWORD_OPTION = /(password=)[^&\s"']+/gi;
const KEY_TEXT = /cxp_[0-9A-Za-z]+_[0-9A-Za-z]+/g;

export function withoutCredentials(text: string): string {
  return text.replace(USER_INFO, "://***@").replace(PASSWORD_OPTION, "$1***").replace(KEY_TEXT, "cxp_***");
}

/** The hosts of a server's valid URL, without credentials. An option may contain an @, too. */
export function hostsOf(url: string): string {
  return /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(url)?.[1] ?? "the URL given";
}
