// The name in Redis of a member's lock, and of the seq that is stored when it is released.
import type { MemberId } from "#domain/member-id.ts";

export function lockName(namespace: string, member: MemberId): string {
  return `${namespace}:lock:${member}`;
}
