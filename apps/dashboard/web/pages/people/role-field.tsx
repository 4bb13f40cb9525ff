// The choice of a role in a clan.
import type { ComponentProps } from "react";
import type { ClanRole } from "#domain/account.ts";
import { SelectField } from "../../parts/select-field.tsx";

const roles: readonly (readonly [ClanRole, string])[] = [
  ["owner", "Owner: may do everything in the clan"],
  ["viewer", "Viewer: may read everything of the clan"],
];

export function RoleField(select: ComponentProps<"select">) {
  return <SelectField {...select} label="Role" options={roles} />;
}
