// How long a count of a clan's members is used: a second, or in a large clan as long as counting takes a bounded share
// of the time.
import type { Ages } from "#async/paced-cache.ts";
import { EXACT_POSITIONS_MAX } from "#domain/position.ts";
import { COUNT_EXPIRY_MS_MIN, COUNT_EXPIRY_SHARE, COUNT_REST_SHARE, ORDER_AGE_MAX_MS } from "#members/bounds.ts";

export function agesOfCount(members: number, busyMs: number): Ages {
  if (members <= EXACT_POSITIONS_MAX) return { refreshMs: ORDER_AGE_MAX_MS, expireMs: ORDER_AGE_MAX_MS };
  const expireMs = Math.max(COUNT_EXPIRY_MS_MIN, busyMs * COUNT_REST_SHARE * COUNT_EXPIRY_SHARE);
  return { refreshMs: expireMs / COUNT_EXPIRY_SHARE, expireMs };
}
