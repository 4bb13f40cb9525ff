// The roles in a clan, as people read them.
import type { ClanRole } from "#domain/account.ts";

type RoleText = { label: string; article: string; may: string };

export const roleTexts: Record<ClanRole, RoleText> = {
  owner: { label: "Owner", article: "an", may: "may do everything in the clan" },
  moderator: {
    label: "Moderator",
    article: "a",
    may: "may give and take XP, within bounds, and read nearly everything",
  },
  viewer: { label: "Viewer", article: "a", may: "may read everything of the clan" },
};

/** "an owner". */
export function asRole(role: ClanRole): string {
  const { label, article } = roleTexts[role];
  return `${article} ${label.toLowerCase()}`;
}

/** "Owner: may do everything in the clan". */
export function roleMeaning(role: ClanRole): string {
  const { label, may } = roleTexts[role];
  return `${label}: ${may}`;
}
