// Finds the endpoints of a path. Paths are matched as they were sent: normalized by URL rules, but not decoded. A path
// that cannot be decoded must still find its endpoint, so that the key is checked first (docs/reference/errors.md,
// Order of errors).
import { endpointNames, endpoints, type EndpointName } from "#contract/endpoints.ts";

export type PathParams = Readonly<Record<string, string>>;
/** All endpoints of one path by their method, and the path's parameters, still encoded. */
export type Match = { names: ReadonlyMap<string, EndpointName>; params: PathParams };

/** A request target's path, with `.` and `..` resolved but not decoded, and its query. */
export type Target = { path: string; query: URLSearchParams };

type Pattern = { regex: RegExp; params: readonly string[]; names: Map<string, EndpointName> };

const PARAM = /\{(\w+)\}/g;
const patterns: readonly Pattern[] = compile();

function compile(): Pattern[] {
  const byTemplate = new Map<string, Pattern>();
  for (const name of endpointNames) {
    const { path, method } = endpoints[name];
    const params = [...path.matchAll(PARAM)].map(([, param = ""]) => param);
    const regex = new RegExp(`^${path.replaceAll(PARAM, "([^/]+)")}$`);
    const pattern = byTemplate.get(path) ?? { regex, params, names: new Map() };
    byTemplate.set(path, pattern);
    pattern.names.set(method, name);
    if (method === "GET") pattern.names.set("HEAD", name);
  }
  return [...byTemplate.values()];
}

/** Null if no endpoint has this path. */
export function matchEndpoint(path: string): Match | null {
  for (const { regex, params, names } of patterns) {
    const found = regex.exec(path);
    if (!found) continue;
    const values: Record<string, string> = {};
    for (const [index, param] of params.entries()) values[param] = found[index + 1] ?? "";
    return { names, params: values };
  }
  return null;
}

/** The endpoint's path that differs from this path only in version, slashes or letter case; null if there is none. */
export function nearestPath(path: string): string | null {
  const nearest = path
    .replaceAll(/\/{2,}/g, "/")
    .replace(/\/$/, "")
    .replace(/^(?:\/v\d+)?\/clans(?=\/)/i, "/v0/clans");
  return nearest !== path && matchEndpoint(nearest) ? nearest : null;
}

/** A decoded segment of a path; null if it is not percent-encoded UTF-8. */
export function decode(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** A request target as path and query, also if it was sent as a whole URL (RFC 9112 3.2); `*` for all others. */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const url = URL.parse(target);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.pathname + url.search : "*";
}

/** A target that a URL parser would leave unchanged: almost every target of a game server. */
const PLAIN_PATH = /^(?:\/(?!\.)[\w.:@~-]*)+$/;
const NO_QUERY: Target["query"] = new URLSearchParams();

/** Null for a target that is not a path. */
export function parseTarget(target: string): Target | null {
  if (PLAIN_PATH.test(target)) return { path: target, query: NO_QUERY };
  const url = target.startsWith("/") ? URL.parse(`http://host${target}`) : null;
  return url && { path: url.pathname, query: url.searchParams };
}
