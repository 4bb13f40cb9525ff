// What every answer to POST /v0/clans/{clanId}/xp says about itself, errors too (RFC 9745).
import type { HeaderList } from "./http/answer.ts";
import { BATCH_PAGE_PATH } from "./docs-pages.ts";

/** 2026-11-21T00:00:00Z: the day the per-member endpoint took its place. */
const DEPRECATED_SINCE_UNIX_S = 1_795_219_200;

/** `clanSegment` as it stood in the path. The successor's platformId stands in braces, percent-encoded: the caller fills it in. */
export function deprecationHeaders(clanSegment: string): HeaderList {
  const successor = `/v0/clans/${clanSegment}/members/%7BplatformId%7D/xp`;
  const link = `<${BATCH_PAGE_PATH}>; rel="deprecation"; type="text/markdown", <${successor}>; rel="successor-version"`;
  return ["deprecation", `@${DEPRECATED_SINCE_UNIX_S}`, "link", link];
}
