// Reads of members by id and of parts of the leaderboard, and what they share with other reads of members.
import type { Body, Config } from "./attempt.ts";
import { call } from "./call.ts";
import { check, checkInteger, checkOptions, checkPlatformId } from "./check.ts";
import { ClanXpError } from "./error.ts";
import { memberOptions } from "./option-names.ts";
import { PAGE_SIZE_MAX } from "./read-pages.ts";
import type { AroundOptions, MemberOptions, NamedMembers } from "./types.ts";
import type { MemberPage } from "./wire.ts";
import { withQuery } from "./with-query.ts";

/** The API's limit for one request. */
const NAMED_MAX = 100;

export async function readNamed(config: Config, platformIds: string[], options: MemberOptions): Promise<NamedMembers> {
  checkOptions(options, `${memberOptions} `);
  check(Array.isArray(platformIds), "platformIds must be an array");
  for (const platformId of platformIds) checkPlatformId(platformId);
  check(new Set(platformIds).size === platformIds.length, "platformIds must be different");
  const include = including(options);
  const found: NamedMembers = { members: [], missing: [] };
  const accepts = (body: Body): boolean => hasMembers(body) && Array.isArray(body["missing"]);
  for (let from = 0; from < platformIds.length; from += NAMED_MAX) {
    const named = platformIds.slice(from, from + NAMED_MAX).join(",");
    const path = withQuery("/members", { platformIds: named, ...include });
    const { body } = await call(config, { method: "GET", path, accepts }, options);
    found.members.push(...(body as NamedMembers).members);
    found.missing.push(...(body as NamedMembers).missing);
  }
  return found;
}

export async function readAround(
  config: Config,
  platformId: string,
  options: AroundOptions,
): Promise<MemberPage | null> {
  checkPlatformId(platformId);
  checkOptions(options, "limit name ");
  const { limit, name } = options;
  if (limit !== undefined) checkInteger("limit", limit, 1, PAGE_SIZE_MAX);
  const path = withQuery("/members", { around: platformId, limit, ...including({ name, position: true }) });
  try {
    return (await call(config, { method: "GET", path, accepts: hasMembers }, options)).body as MemberPage;
  } catch (error) {
    return nullIfMissing(error);
  }
}

function hasMembers({ members }: Body): boolean {
  return Array.isArray(members);
}

export function including({ name, position }: MemberOptions): { include: string | undefined } {
  check(name === undefined || typeof name === "boolean", "name must be a boolean");
  check(position === undefined || typeof position === "boolean", "position must be a boolean");
  const include = [name && "name", position && "position"].filter(Boolean).join(",");
  return { include: include === "" ? undefined : include };
}

export function nullIfMissing(error: unknown): null {
  if (error instanceof ClanXpError && error.code === "member_not_found") return null;
  throw error;
}
