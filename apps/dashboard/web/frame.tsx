// The frame of every page for a signed-in person: navigation, the clan, the account, and notes about changes. On a
// narrow screen it is one bar of 56 pixels, and its two menus open over the page.
import { Menu } from "lucide-react";
import { Suspense, useId, useState, type ComponentProps } from "react";
import { NavLink, Outlet, useLocation, useMatch, useNavigate } from "react-router";
import type { Me } from "#contract/dashboard/account.ts";
import { AccountMenu } from "./account-menu.tsx";
import { HelpMenu } from "./help-menu.tsx";
import { pagesFor } from "./pages.tsx";
import { PaletteButton } from "./palette-button.tsx";
import { ClanSelect } from "./parts/clan-select.tsx";
import { closeMenus } from "./parts/close-menus.ts";
import { DisabledDestinations } from "./parts/disabled-destinations.tsx";
import { mayEnter } from "./parts/may-enter.ts";
import { pageIcons } from "./parts/page-icons.ts";
import { Loading } from "./parts/states.tsx";
import { ToastProvider } from "./parts/toasts.tsx";

/** Over the page on a narrow screen, otherwise a part of the frame. */
const MENU =
  "fixed left-auto m-0 max-w-dvw flex-col border-line bg-panel text-ink open:flex max-md:shadow-xl max-md:backdrop:bg-black/50 md:static md:flex md:h-auto md:w-auto md:max-w-none md:overflow-visible md:border-0 md:p-0";

export function Frame({ me }: { me: Me }) {
  return (
    <ToastProvider>
      <Layout me={me} />
    </ToastProvider>
  );
}

function Layout({ me }: { me: Me }) {
  const { pathname } = useLocation();
  const clanId = useClanId(me);
  const named = useMatch("/clans/:clanId/*")?.params.clanId;
  const shown = named === clanId ? clanId : undefined;
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:m-2 focus:rounded-lg focus:bg-panel focus:p-2"
      >
        Skip to the page
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-panel px-3 md:h-dvh md:w-60 md:shrink-0 md:flex-col md:items-stretch md:gap-4 md:overflow-y-auto md:border-r md:border-b-0 md:py-5">
        <div className="mr-auto flex items-center gap-2.5 md:mr-0 md:px-2">
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span className="font-semibold tracking-tight">Clan XP</span>
        </div>
        <PaletteButton me={me} clanId={clanId} />
        <nav aria-label="Pages">
          <MenuButton popoverTarget="pages" aria-label="Menu">
            <Menu aria-hidden="true" size={20} />
          </MenuButton>
          <div
            id="pages"
            popover="auto"
            className={`${MENU} inset-y-0 right-0 h-dvh w-72 gap-4 overflow-y-auto border-l p-4`}
          >
            <ClanChoice me={me} clanId={clanId} />
            <Navigation me={me} clanId={clanId} />
          </div>
        </nav>
        <div className="flex gap-1 md:mt-auto md:flex-col">
          <HelpMenu me={me} />
          <AccountMenu me={me} />
        </div>
      </header>
      <div id="page" tabIndex={-1} className="flex min-w-0 flex-1 flex-col">
        {shown === undefined ? null : <DisabledDestinations clanId={shown} />}
        <Suspense key={pathname} fallback={<Loading what="the page" />}>
          <Outlet />
        </Suspense>
      </div>
    </div>
  );
}

function MenuButton(button: ComponentProps<"button">) {
  return (
    <button
      type="button"
      {...button}
      className="grid size-10 place-items-center rounded-lg hover:bg-sunken md:hidden"
    />
  );
}

/**
 * The clan in the address, otherwise the last one, otherwise the account's first one. The address of a clan that the
 * account may not read redirects to the account's own clan.
 */
function useClanId(me: Me): string | undefined {
  const named = useMatch("/clans/:clanId/*")?.params.clanId;
  const [last, setLast] = useState(named);
  if (named !== undefined && named !== last) setLast(named);
  const clanId = named ?? last;
  return clanId !== undefined && mayEnter(me, clanId) ? clanId : me.clans[0]?.clanId;
}

function ClanChoice({ me, clanId }: { me: Me; clanId: string | undefined }) {
  const id = useId();
  const navigate = useNavigate();
  const page = useMatch("/clans/:clanId/:page/*")?.params.page ?? "";
  const [first] = me.clans;
  if (!first || (me.clans.length === 1 && clanId === first.clanId))
    return first ? <p className="truncate px-2 text-sm text-muted">{first.name}</p> : null;
  return (
    <div className="px-2">
      <label htmlFor={id} className="mb-1 block text-sm text-muted">
        Clan
      </label>
      <ClanSelect
        id={id}
        me={me}
        clanId={clanId}
        onChoose={(chosen) => {
          closeMenus();
          void navigate(`/clans/${chosen}/${page}`);
        }}
      />
    </div>
  );
}

function Navigation({ me, clanId }: { me: Me; clanId: string | undefined }) {
  const groups = Map.groupBy(pagesFor(me, clanId), ({ group }) => group);
  return [...groups].map(([group, pages]) => <NavigationGroup key={group ?? ""} name={group} pages={pages} />);
}

function NavigationGroup({ name, pages }: { name: string | undefined; pages: ReturnType<typeof pagesFor> }) {
  const id = useId();
  return (
    <div>
      {name === undefined ? null : (
        <p id={id} className="px-2.5 pb-0.5 text-xs font-medium text-muted">
          {name}
        </p>
      )}
      <ul aria-labelledby={name === undefined ? undefined : id} className="flex flex-col gap-0.5">
        {pages.map(({ label, path, to, scope }) => {
          const Icon = pageIcons[path];
          return (
            <li key={path}>
              <NavLink
                to={to}
                onClick={closeMenus}
                // A clan's pages lie below the path of the list of clans.
                end={scope === "operator"}
                className={({ isActive }) =>
                  `flex items-center gap-2.5 rounded-lg px-2.5 py-1 font-medium ${isActive ? "bg-sunken text-ink" : "text-muted hover:bg-sunken hover:text-ink"}`
                }
              >
                {Icon ? <Icon aria-hidden="true" size={18} className="shrink-0" /> : null}
                {label}
              </NavLink>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
