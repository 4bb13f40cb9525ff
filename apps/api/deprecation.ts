// The headers of every response of a deprecated endpoint, including errors (RFC 9745).
import type { Deprecation } from "#contract/endpoints.ts";
import type { HeaderList } from "./http/response.ts";
import type { PathParams } from "./endpoint.ts";

/**
 * `params` as they appeared in the path. Parameters that only the successor has are in braces, percent-encoded: the
 * caller fills them in.
 */
export function deprecationHeaders(
  { sinceUnixS, page, successor }: Deprecation,
  { params, docsUrl }: { params: PathParams; docsUrl: string },
): HeaderList {
  const target = successor.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => params[name] ?? `%7B${name}%7D`);
  const link = `<${docsUrl}${page}>; rel="deprecation"; type="text/html", <${target}>; rel="successor-version"`;
  return ["deprecation", `@${sinceUnixS}`, "link", link];
}
