// The menu of the person who is signed in: their account, the theme, and signing out.
import { ChevronsUpDown, CircleUser } from "lucide-react";
import { NavLink } from "react-router";
import type { Me } from "#contract/dashboard/account.ts";
import { FrameMenu } from "./frame-menu.tsx";
import { closeMenus } from "./parts/close-menus.ts";
import { ThemeField } from "./parts/theme-field.tsx";
import { useSignOut } from "./use-sign-out.ts";

export function AccountMenu({ me }: { me: Me }) {
  const signOut = useSignOut();
  return (
    <FrameMenu
      id="person"
      label={`Your account, ${me.name}`}
      icon={<CircleUser aria-hidden="true" size={20} className="shrink-0" />}
      text={
        <>
          <span className="truncate">{me.name}</span>
          <ChevronsUpDown aria-hidden="true" size={16} className="ml-auto shrink-0" />
        </>
      }
    >
      <NavLink to="/account" onClick={closeMenus} className="rounded-lg px-2.5 py-1.5 hover:bg-sunken">
        Account and passkeys
      </NavLink>
      <div className="px-2.5 py-1">
        <ThemeField />
      </div>
      <button
        type="button"
        onClick={() => void signOut()}
        className="rounded-lg px-2.5 py-1.5 text-left hover:bg-sunken"
      >
        Sign out
      </button>
    </FrameMenu>
  );
}
