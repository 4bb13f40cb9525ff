// The path that the caller of an unknown one probably meant.
import { endpointNames, endpoints } from "#contract/endpoints.ts";

const known = endpointNames.map((name) => new RegExp(`^${endpoints[name].path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));

/** The endpoint's path that differs from this path only in version, slashes or letter case; null if there is none. */
export function nearestPath(path: string): string | null {
  const nearest = path
    .replaceAll(/\/{2,}/g, "/")
    .replace(/\/$/, "")
    .replace(/^(?:\/v\d+)?\/clans(?=\/)/i, "/v0/clans");
  return nearest !== path && known.some((pattern) => pattern.test(nearest)) ? nearest : null;
}
