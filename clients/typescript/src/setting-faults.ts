// What is wrong with a setting of the client: a sentence that shows what was given, but neither a key nor a password.

/** API keys, a user and password, and what follows `?` or `#`. */
const SECRETS = /cxp_[!-~]*|(?<=\/\/).*(?=@)|(?<=[?#]).+/gs;
const SHOWN_CHARS_MAX = 100;

export function baseUrlFault(value: unknown): string | undefined {
  if (typeof value === "string" && /^https?:\/\/[^/?#@\s\0][^?#@\s\0]*$/.test(value)) return undefined;
  const given =
    typeof value === "string" ? JSON.stringify(value.replace(SECRETS, "***").slice(0, SHOWN_CHARS_MAX)) : typeof value;
  return `baseUrl must be an http or https URL without password and query, not ${given}`;
}

/** `name`: the value's name in the sentence. */
export function apiKeyFault(name: string, value: unknown): string | undefined {
  if (typeof value !== "string" || value === "")
    return `${name} is ${value === "" ? "empty" : typeof value}: is CLANXP_KEY set?`;
  if (/\s/.test(value)) return `${name} has white space, such as a line break at its end`;
  return /^[!-~]+$/.test(value) ? undefined : `${name} has a character that is in no API key`;
}
