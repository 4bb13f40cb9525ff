// What a response of Roblox or Discord shows about the credential: so many members in a row whose roles it may not
// change are no coincidence.
import type { Outcome } from "#delivery/health.ts";
import { DENIED_MAX } from "#delivery/role-bounds.ts";
import type { RoleReply } from "#delivery/role-ports.ts";

export function makeRoleOutcomes() {
  const denied = new Set<string>();
  /** Others were changed after these were denied: it is about them, and shows nothing about the credential. */
  const apart = new Set<string>();

  return {
    /** Those whose roles could not be changed, one after the other. */
    denied,
    /** `changes`: the member whose roles it was to change; null: it only read. Null: the response shows nothing. */
    of(reply: RoleReply<unknown>, changes: string | null): Outcome | null {
      switch (reply.kind) {
        case "rest":
          return null;
        case "failed":
        case "stopped":
          return { kind: reply.kind, fault: reply.reason };
        case "denied":
          if (changes === null || reply.isAboutPerson || apart.has(changes)) break;
          denied.add(changes);
          if (denied.size >= DENIED_MAX) return { kind: "stopped", fault: reply.reason };
          break;
        case "done":
          if (changes === null) break;
          for (const member of denied) apart.add(member);
          apart.delete(changes);
          denied.clear();
          break;
        case "not_there":
        case "rejected":
      }
      // While so many could not be changed, only a change shows that it works.
      if (denied.size < DENIED_MAX) return { kind: "works" };
      return changes === null ? null : { kind: "refused" };
    },
  };
}
