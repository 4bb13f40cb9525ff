// What following ranks needs from Roblox and Discord.
import type { AttemptError } from "#domain/destination.ts";

/** Why there was no response. */
export type NoResponse = Exclude<AttemptError, "status">;

/**
 * Why a request changed nothing. `rest`: too many requests; null: it is not known for how long. `failed`: no response,
 * or one that says nothing about the request. `stopped`: no request with this credential can succeed. `denied`: the
 * credential may not do this, or not to this person. `rejected`: of this person or role, for any other reason.
 * `not_there`: the person is not in the group or server. Reasons are sentences with what to do.
 */
export type RoleFault =
  | { kind: "rest"; forMs: number | null }
  | { kind: "failed"; reason: string; error?: NoResponse }
  | { kind: "stopped"; reason: string }
  | { kind: "denied"; isAboutPerson: boolean; reason: string }
  | { kind: "rejected"; reason: string }
  | { kind: "not_there" };

/** `pauseMs`: before the next request, as the response asked; 0 if it did not. */
export type RoleReply<Value> = ({ kind: "done"; value: Value } | RoleFault) & { pauseMs: number };

/** A role elsewhere. `fault`: why it cannot be in a mapping, as a sentence; null if it can. */
export type OfferedRole = { roleId: string; name: string; isOwner: boolean; fault: string | null };

export type RolesOf = { platformId: string; has: readonly string[] };
/** `next`: where the next page begins; null after the last one. */
export type RolePage<Item> = { items: readonly Item[]; next: string | null };

/** One group or server, with one credential. Each method is one request. Nothing throws. */
export type RoleClient = {
  listRoles(after: string | null): Promise<RoleReply<RolePage<OfferedRole>>>;
  listMembers(after: string | null): Promise<RoleReply<RolePage<RolesOf>>>;
  readMember(platformId: string): Promise<RoleReply<readonly string[]>>;
  /** Nothing changes if the person already has the role. */
  assign(platformId: string, roleId: string): Promise<RoleReply<null>>;
  /** Nothing changes if the person does not have the role. */
  unassign(platformId: string, roleId: string): Promise<RoleReply<null>>;
};

/** `error`: of a fault because there was no response. */
export type Inspected = { fault: string | null; roles: readonly OfferedRole[]; error?: NoResponse };

/** `clanId`: who has to answer for the requests. `inspect`: all of its requests; it does not wait between them. */
export type RoleService = {
  client(target: string, credential: string, clanId: string): RoleClient;
  inspect(target: string, credential: string, clanId: string): Promise<Inspected>;
};
