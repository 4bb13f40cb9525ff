// Which roles a member gets and loses elsewhere. The present rank decides, not what happened before, and roles outside
// of the mapping are never changed: the same input always leads to the same roles.
import type { RoleKind, RoleMapping } from "#domain/destination.ts";

/** The present rank of a member. Without a membership, no role is wanted, whatever the mapping. */
export type MemberRank = { rank: string; isMember: boolean };

/** `assign` is applied first, so that the member is never without a role of the mapping. */
export type RoleChange = { assign: readonly string[]; unassign: readonly string[] };

/** The role ids of the mapping that a member of this rank has: at most one. */
export function wantedRoles({ roles }: Pick<RoleMapping, "roles">, { rank, isMember }: MemberRank): readonly string[] {
  const roleId = isMember && Object.hasOwn(roles, rank) ? roles[rank] : undefined;
  return roleId === undefined ? [] : [roleId];
}

/** Those of these roles that are in the mapping, in its order. */
export function mappedRoles({ roles }: Pick<RoleMapping, "roles">, has: readonly string[]): readonly string[] {
  return [...new Set(Object.values(roles))].filter((roleId) => has.includes(roleId));
}

/** From the roles that a person has elsewhere to those of their rank. */
export function roleChangeOf(
  mapping: Pick<RoleMapping, "roles">,
  rank: MemberRank,
  has: readonly string[],
): RoleChange {
  const wants = wantedRoles(mapping, rank);
  return {
    assign: wants.filter((roleId) => !has.includes(roleId)),
    unassign: mappedRoles(mapping, has).filter((roleId) => !wants.includes(roleId)),
  };
}

/** Role ids by the names of ranks that get another one; null: none. */
export type RoleChanges = Readonly<Record<string, string | null>>;

/** The mapping after these ranks got other roles. */
export function withRoleChanges(roles: RoleMapping["roles"], changes: RoleChanges): RoleMapping["roles"] {
  const changed = Object.entries<string | null>({ ...roles, ...changes });
  return Object.fromEntries(changed.flatMap(([rank, roleId]) => (roleId === null ? [] : [[rank, roleId]])));
}

/** The mapping after ranks were renamed. A rank that is gone does not give its role to another one of its name. */
export function renameInMapping(
  roles: RoleMapping["roles"],
  renames: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const taken = new Set(renames.values());
  const kept = Object.entries(roles).filter(([rank]) => renames.has(rank) || !taken.has(rank));
  return Object.fromEntries(kept.map(([rank, roleId]) => [renames.get(rank) ?? rank, roleId]));
}

/** Of Roblox any digits, of Discord 17 to 20. */
const ID_FORMS = { "roblox-group": /^\d+$/, "discord-roles": /^\d{17,20}$/ } as const;

/** Whether a platformId can be the id of a person there. */
export function isIdOf(kind: RoleKind, platformId: string): boolean {
  return ID_FORMS[kind].test(platformId);
}
