// What is wrong with a setting of the client: a sentence that shows what was given, but neither a key nor a password.

const KEYS = /cxp_[!-~]*/g;
/** A user and password, and what follows `?` or `#`. */
const URL_SECRETS = /(?<=\/\/).*(?=@)|(?<=[?#]).+/gs;
const SHOWN_CHARS_MAX = 100;

export function baseUrlFault(value: unknown): string | undefined {
  if (typeof value === "string" && /^https?:\/\/[^/?#@\s\0][^?#@\s\0]*$/.test(value)) return undefined;
  const given =
    typeof value === "string"
      ? JSON.stringify(maskKeys(value).replace(URL_SECRETS, "***").slice(0, SHOWN_CHARS_MAX))
      : typeof value;
  return `baseUrl must be an http or https URL without password and query, not ${given}`;
}

/** For texts that may contain a key which is not known. */
export function maskKeys(text: string): string {
  return text.replace(KEYS, "***");
}

/** `name`: the value's name in the sentence. */
export function apiKeyFault(name: string, value: unknown): string | undefined {
  if (typeof value !== "string" || value === "")
    return `${name} is ${value === "" ? "empty" : typeof value}: is CLANXP_KEY set?`;
  if (/\s/.test(value)) return `${name} has white space, such as a line break at its end`;
  return /^[!-~]+$/.test(value) ? undefined : `${name} has a character that is in no API key`;
}
