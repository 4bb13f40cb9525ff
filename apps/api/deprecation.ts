// What every answer of a deprecated endpoint says about it, errors too (RFC 9745).
import type { Deprecation } from "#contract/endpoints.ts";
import type { HeaderList } from "./http/response.ts";
import type { PathParams } from "./http/match-endpoint.ts";

/**
 * `params` as they stood in the path. What the successor needs besides them stands in braces, percent-encoded: the
 * caller fills it in.
 */
export function deprecationHeaders({ sinceUnixS, page, successor }: Deprecation, params: PathParams): HeaderList {
  const target = successor.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => params[name] ?? `%7B${name}%7D`);
  const link = `<${page}>; rel="deprecation"; type="text/html", <${target}>; rel="successor-version"`;
  return ["deprecation", `@${sinceUnixS}`, "link", link];
}
