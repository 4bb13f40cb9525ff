// Checks a credential, and reads the roles of a group or server; nothing is changed there.
import type { RoleKind } from "#domain/destination.ts";
import type { InspectRoles } from "#delivery/answer-calls.ts";
import type { RoleService } from "#delivery/role-ports.ts";

export function makeInspectCredential({
  services,
}: {
  services: Readonly<Record<RoleKind, RoleService>>;
}): InspectRoles {
  return async function inspectCredential({ kind, clanId, target, credential }) {
    const { fault, roles, error } = await services[kind].inspect(target, credential, clanId);
    return {
      fault,
      ...(error === undefined ? {} : { error }),
      roles: roles.map(({ roleId, name, fault: whyNot }) => ({
        roleId,
        name,
        isUsable: whyNot === null,
        ...(whyNot === null ? {} : { whyNot }),
      })),
    };
  };
}
