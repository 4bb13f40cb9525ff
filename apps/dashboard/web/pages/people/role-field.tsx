// The choice of a role in a clan.
import type { ComponentProps } from "react";
import { clanRoles } from "#domain/account.ts";
import { roleMeaning } from "../../parts/role-texts.ts";
import { SelectField } from "../../parts/select-field.tsx";

export function RoleField(select: ComponentProps<"select">) {
  return <SelectField {...select} label="Role" options={clanRoles.map((role) => [role, roleMeaning(role)] as const)} />;
}
