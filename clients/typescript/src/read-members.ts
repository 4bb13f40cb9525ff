// Reads of members by id, and what they share with other reads of members.
import type { Body, Request } from "./attempt.ts";
import { check } from "./check.ts";
import { ClanXpError } from "./error.ts";
import type { NamedMembers } from "./types.ts";
import { withQuery } from "./with-query.ts";

/** The API's limit for one request. */
const NAMED_MAX = 100;

type Include = { include: string | undefined };
type Get = (path: string, accepts: Request["accepts"]) => Promise<NamedMembers>;

export async function readNamed(platformIds: string[], get: Get, include: Include): Promise<NamedMembers> {
  const found: NamedMembers = { members: [], missing: [] };
  const accepts = (body: Body): boolean => hasMembers(body) && Array.isArray(body["missing"]);
  for (let from = 0; from < platformIds.length; from += NAMED_MAX) {
    const named = platformIds.slice(from, from + NAMED_MAX).join(",");
    const { members, missing } = await get(withQuery("/members", { platformIds: named, ...include }), accepts);
    found.members.push(...members);
    found.missing.push(...missing);
  }
  return found;
}

export function hasMembers({ members }: Body): boolean {
  return Array.isArray(members);
}

export function including({ position }: { position?: boolean | undefined }): Include {
  check(position === undefined || typeof position === "boolean", "position must be a boolean");
  return { include: position ? "position" : undefined };
}

export function nullIfMissing(error: unknown): null {
  if (error instanceof ClanXpError && error.code === "member_not_found") return null;
  throw error;
}
