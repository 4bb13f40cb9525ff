// The frame of every page for a signed-in person: navigation, the clan, the account, and notes about changes.
import { Suspense, useId, useState } from "react";
import { NavLink, Outlet, useLocation, useMatch, useNavigate } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "#contract/dashboard/account.ts";
import { ApiError } from "./api/api-error.ts";
import { call } from "./api/call.ts";
import { meKey } from "./api/use-me.ts";
import { pages } from "./pages.tsx";
import { Button } from "./parts/button.tsx";
import { ClanSelect } from "./parts/clan-select.tsx";
import { DisabledDestinations } from "./parts/disabled-destinations.tsx";
import { errorText } from "./parts/error-texts.ts";
import { mayEnter } from "./parts/may-enter.ts";
import { Loading } from "./parts/states.tsx";
import { ToastProvider, useToast } from "./parts/toasts.tsx";

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
        className="sr-only focus:not-sr-only focus:absolute focus:m-2 focus:rounded-lg focus:bg-panel focus:p-2"
      >
        Skip to the page
      </a>
      <header className="flex flex-col gap-3 border-b border-line bg-panel px-4 py-3 md:sticky md:top-0 md:h-dvh md:w-60 md:shrink-0 md:gap-5 md:border-r md:border-b-0 md:px-3 md:py-5">
        <div className="flex items-center gap-2.5 px-1 md:px-2">
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span className="font-semibold tracking-tight">Clan XP</span>
        </div>
        <ClanChoice me={me} clanId={clanId} />
        <Navigation me={me} clanId={clanId} />
        <Person me={me} />
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
    return first ? <p className="truncate px-1 text-sm text-muted md:px-2">{first.name}</p> : null;
  return (
    <div className="px-1 md:px-2">
      <label htmlFor={id} className="mb-1 block text-sm text-muted">
        Clan
      </label>
      <ClanSelect id={id} me={me} clanId={clanId} onChoose={(chosen) => void navigate(`/clans/${chosen}/${page}`)} />
    </div>
  );
}

function Navigation({ me, clanId }: { me: Me; clanId: string | undefined }) {
  const isOwner = me.operator || me.clans.some((clan) => clan.clanId === clanId && clan.role === "owner");
  const mayOpen = { clan: clanId !== undefined, owner: clanId !== undefined && isOwner, operator: me.operator };
  const shown = pages.filter(({ scope }) => mayOpen[scope]);
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-wrap gap-1 md:flex-col">
        {shown.map(({ label, path, scope }) => (
          <li key={path}>
            <NavLink
              to={scope === "operator" ? `/${path}` : `/clans/${clanId}/${path}`}
              // A clan's pages lie below the path of the list of clans.
              end={scope === "operator"}
              className={({ isActive }) =>
                `block rounded-lg px-2.5 py-1.5 font-medium ${isActive ? "bg-sunken text-ink" : "text-muted hover:bg-sunken hover:text-ink"}`
              }
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Person({ me }: { me: Me }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  async function signOut(): Promise<void> {
    try {
      await call("sign-out");
    } catch (error) {
      // The session had already ended: nothing of it stays on the screen.
      if (!(error instanceof ApiError && error.code === "signed_out")) {
        toast({ title: "You are still signed in", description: errorText(error) });
        return;
      }
    }
    client.getMutationCache().clear();
    client.setQueryData(meKey, null);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] });
    // The next person to sign in here may not read this clan.
    await navigate("/");
  }
  return (
    <div className="flex items-center justify-between gap-2 md:mt-auto md:flex-col md:items-stretch">
      <NavLink
        to="/account"
        className="min-w-0 truncate rounded-lg px-2.5 py-1.5 text-muted hover:bg-sunken hover:text-ink"
      >
        {me.name}
      </NavLink>
      <Button size="small" onClick={() => void signOut()}>
        Sign out
      </Button>
    </div>
  );
}
