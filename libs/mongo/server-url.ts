// Splits the URL of a server, of MongoDB or of Redis: scheme, user, hosts, path and options. It may name several hosts,
// which the URL parser of Node rejects.
//
// Invariant: no part of a user name or password is in a fault. If a reserved character leaves open where the password
// ends, this is the only fault, because everything after it may be a part of the password.

export type ServerUrl = {
  scheme: string;
  /** Everything before the options, as given. */
  beforeOptions: string;
  /** As given, without the @; null if there is none. */
  userInfo: string | null;
  /** Decoded. */
  username: string;
  password: string;
  /** IPv6 addresses without brackets. */
  hosts: { host: string; port: number | null }[];
  /** Decoded, without the slash. */
  path: string;
  options: UrlOption[];
};
/** `text` as given, name and value decoded. */
export type UrlOption = { name: string; value: string; text: string };
/** `url` is null if the URL cannot be split. */
export type SplitUrl = { url: ServerUrl | null; faults: string[] };

export const UNESCAPED =
  "has a reserved character in its user name, its password or an option: " +
  "percent-encode it (: is %3A, / is %2F, ? is %3F, # is %23, @ is %40, % is %25)";

/** The slash before the options may be missing. */
const PARTS =
  /^(?<scheme>[^:/]+:\/\/)(?:(?<userInfo>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?(?<fragment>#.*)?$/s;
const HOST = /^(?:\[(?<v6>[\da-f:.]+)\]|(?<name>[^\s:[\]]+))$/i;
const PORT_MAX = 65_535;

/** `takes`: whether an option of this name exists. Only the value of such an option may contain an @. */
export function splitServerUrl(
  text: string,
  { schemes, takes }: { schemes: readonly string[]; takes: (name: string) => boolean },
): SplitUrl {
  const known = schemes.some((scheme) => text.startsWith(scheme) && text.length > scheme.length);
  if (!known) return { url: null, faults: [`does not begin with ${orOf(schemes)}`] };
  const parts = PARTS.exec(text)?.groups;
  if (!parts) return { url: null, faults: [UNESCAPED] };
  const { scheme = "", userInfo = null, hosts = "", path = "", query, fragment = "" } = parts;
  const options = query === undefined ? [] : query.split("&").filter(Boolean).map(optionOf);
  const mayBePassword = options.some(({ name, text: option }) => option.includes("@") && !takes(name));
  if (path.includes("@") || fragment.includes("@") || mayBePassword) return { url: null, faults: [UNESCAPED] };

  const faults = new Set<string>();
  const decode = (part: string, ofWhat: string): string => {
    const decoded = decodedOrNull(part);
    if (decoded === null) faults.add(`has a % in its ${ofWhat} that is not percent-encoded: write %25`);
    return decoded ?? "";
  };
  if (fragment !== "") faults.add("has a # at its end, which no part of the URL may contain: write %23");
  const [, username = "", password = ""] = /^([^:]*):?(.*)$/s.exec(userInfo ?? "") ?? [];
  const url = {
    scheme,
    beforeOptions:
      query === undefined ? text : text.slice(0, text.indexOf("?", scheme.length + (userInfo ?? "").length)),
    userInfo,
    username: decode(username, "user name"),
    password: decode(password, "password"),
    hosts: hosts.split(",").map((host) => hostOf(host, faults)),
    path: decode(path, "path"),
    options,
  };
  return { url, faults: [...faults] };
}

function hostOf(text: string, faults: Set<string>): { host: string; port: number | null } {
  const [, name = "", port] = /^(.*?)(?::([^:\]]*))?$/s.exec(text) ?? [];
  const { v6, name: plain } = HOST.exec(name)?.groups ?? {};
  const host = v6 ?? plain;
  if (host === undefined) faults.add(name === "" ? "has an empty host name" : "has an invalid host name");
  const isPort = port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= PORT_MAX);
  if (!isPort) faults.add(`has a port that is not a number from 1 to ${PORT_MAX}`);
  return { host: host ?? "", port: port === undefined ? null : Number(port) };
}

function optionOf(text: string): UrlOption {
  const [[name = "", value = ""] = []] = new URLSearchParams(text);
  return { name, value, text };
}

function decodedOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** "a, b or c". */
function orOf(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(", "), ...texts.slice(-1)].filter(Boolean).join(" or ");
}
