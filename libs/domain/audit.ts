// The audit log: who changed what, with the values before and after (docs/decisions/0026). A record is written in the
// transaction of its change. A change of a member is recorded by its ledger entry, which names the actor; the log lists
// it with the others. Entries of an import have one record together. An erasure deletes these entries, and writes
// records of changes without the member.
import { isPlatformId } from "#domain/bounds.ts";

/** Who makes a change, and through which program; `hook`: Roblox, by a request to erase somebody. */
export type Actor = { actor: string; via: "cli" | "dashboard" | "hook" };

/** An actor's name: an account, an address, a person. Long enough for each of these, short enough for a table. */
export const ACTOR_CHARS_MAX = 128;

export const auditActions = [
  "clan.create",
  "clan.set",
  "clan.delete",
  "rank.set",
  "boost.add",
  "boost.end",
  "board.set",
  "board.season",
  "board.remove",
  "page.publish",
  "page.set",
  "page.unpublish",
  "page.hide",
  "page.unhide",
  "key.create",
  "key.rotate",
  "key.revoke",
  "key.limit",
  "destination.add",
  "destination.set",
  "destination.pause",
  "destination.resume",
  "destination.rotate",
  "destination.resend",
  "destination.remove",
  "hook.add",
  "hook.rotate",
  "hook.remove",
  "hook.release",
  "hook.reject",
  "batch.cancel",
  "reversal.submit",
  "reset.submit",
  "reset.cancel",
  "queue.pause",
  "queue.resume",
  "member.add",
  "member.remove",
  "member.appoint",
  "member.award",
  "member.import",
  "member.erase",
  "password.set",
  "passkey.add",
  "passkey.remove",
  "identity.connect",
  "identity.disconnect",
  "account.invite",
  "account.accept",
  "account.grant",
  "account.revoke",
  "account.reset",
  "account.remove",
  "session.end",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Some visible text without line breaks, terminal codes or lone surrogates. */
export function isActorName(text: string): boolean {
  return text.length <= ACTOR_CHARS_MAX && text.trim() !== "" && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** An erased member has no platformId, the target of an erasure is its number, and that of an import its name. */
export function isOfMember({ action, target }: { action: string; target: string }): boolean {
  return action.startsWith("member.") && !OF_NO_MEMBER.has(action) && isPlatformId(target);
}

const OF_NO_MEMBER: ReadonlySet<string> = new Set<AuditAction>(["member.erase", "member.import"]);
