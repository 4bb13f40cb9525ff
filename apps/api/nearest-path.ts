// The path that the caller of an unknown one probably meant.
import { endpointNames, endpoints } from "#contract/endpoints.ts";

const paths = endpointNames.map((name) => endpoints[name].path);
const known = paths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`));
const words = new Set(paths.flatMap((path) => path.split("/")).filter((part) => /^\w+$/.test(part)));
const EMPTY_PARTS = /\/{2,}/g;

/**
 * The endpoint's path that differs from this path only in version, slashes or letter case; null if there is none.
 *
 * An empty part may be a missing id: the suggestion must not take the next word of the path for it, as in
 * `/members//xp`.
 */
export function nearestPath(path: string): string | null {
  const nearest = path
    .replaceAll(EMPTY_PARTS, "/")
    .replace(/\/$/, "")
    .replace(/^(?:\/v\d+)?\/clans(?=\/)/i, "/v0/clans");
  if (nearest === path) return null;
  const mayLackId = path.search(EMPTY_PARTS) >= 0;
  const isNear = known.some((pattern) => {
    const ids = pattern.exec(nearest)?.slice(1);
    return ids !== undefined && !(mayLackId && ids.some((id) => words.has(id)));
  });
  return isNear ? nearest : null;
}
