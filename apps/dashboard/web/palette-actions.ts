// What a person can do from the palette: a dialog of a page, or something that all pages share.
import { mayAct, type Access } from "#domain/account.ts";
import type { Me } from "#contract/dashboard/account.ts";
import type { Dialogs } from "./parts/use-asked-dialog.ts";
import { showTheme } from "./parts/theme-field.tsx";

/** `page`: below `/clans/{clanId}/`, or below `/` for an operator's. */
type DialogAction = { [Page in keyof Dialogs]: { label: string; page: Page; dialog: Dialogs[Page]; access: Access } };

const dialogs: readonly DialogAction[keyof Dialogs][] = [
  { label: "Add member", page: "members", dialog: "add", access: "owner" },
  { label: "Import CSV", page: "members", dialog: "import", access: "owner" },
  { label: "Create key", page: "keys", dialog: "create", access: "owner" },
  { label: "Add board", page: "boards", dialog: "add", access: "owner" },
  { label: "Add boost", page: "boosts", dialog: "add", access: "owner" },
  { label: "Invite person", page: "people", dialog: "invite", access: "owner" },
  { label: "Add destination", page: "destinations", dialog: "add", access: "owner" },
  { label: "Create clan", page: "clans", dialog: "create", access: "operator" },
];

export type PaletteAction = { label: string } & (
  | { to: string; state: { dialog: string } }
  | { run(): void }
  /** Of a member, who is chosen next. */
  | { ofMember: "give" | "take" }
);

export function actionsFor(me: Me, clanId: string | undefined, signOut: () => void): PaletteAction[] {
  const account = { operator: me.operator, grants: me.clans };
  const may = (access: Access): boolean =>
    (clanId !== undefined || access === "operator") && mayAct(account, access, clanId ?? null);
  const ofPages = dialogs
    .filter(({ access }) => may(access))
    .map(({ label, page, dialog, access }) => ({
      label,
      to: access === "operator" ? `/${page}` : `/clans/${clanId}/${page}`,
      state: { dialog },
    }));
  return [
    ...(may("moderator")
      ? [{ label: "Give XP", ofMember: "give" } as const, { label: "Take XP", ofMember: "take" } as const]
      : []),
    ...ofPages,
    { label: "Light theme", run: () => showTheme("light") },
    { label: "Dark theme", run: () => showTheme("dark") },
    { label: "Theme of the system", run: () => showTheme("system") },
    { label: "Sign out", run: signOut },
  ];
}
