// What a member's lock, and the number that it leaves, are named in Redis.
import type { MemberId } from "#domain/member-id.ts";

export function lockName(namespace: string, member: MemberId): string {
  return `${namespace}:lock:${member}`;
}
