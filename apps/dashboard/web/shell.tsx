// Without a session, the sign-in page in place of any page; otherwise the frame, which the sign-in page does not load.
import { Suspense, useState } from "react";
import { Navigate, useMatch } from "react-router";
import { useMe } from "./api/use-me.ts";
import { lazyPart } from "./lazy-part.ts";
import { SignInPage } from "./pages/account/sign-in-page.tsx";
import { pages } from "./pages.tsx";
import { mayEnter } from "./parts/may-enter.ts";
import { Page } from "./parts/page.tsx";
import { Empty, Failed, Loading } from "./parts/states.tsx";

const Frame = lazyPart(() => import("./frame.tsx").then((m) => m.Frame));

export function Shell() {
  const me = useMe();
  const clanId = useMatch("/clans/:clanId/*")?.params.clanId;
  const [hasSignedIn, setHasSignedIn] = useState(false);
  if (me.data === null && !hasSignedIn) setHasSignedIn(true);
  if (me.isPending) return <Loading what="your account" />;
  if (me.data === null) return <SignInPage />;
  if (me.data === undefined) {
    return (
      <main className="mx-auto max-w-xl p-6">
        <h1 className="mb-4 text-xl font-semibold">Clan XP</h1>
        <Failed error={me.error ?? new Error()} onRetry={() => void me.refetch()} />
      </main>
    );
  }
  // The person signed in at an address that a previous person had opened.
  if (hasSignedIn && clanId !== undefined && !mayEnter(me.data, clanId)) return <Navigate to="/" replace />;
  return (
    <Suspense fallback={<Loading what="your account" />}>
      <Frame me={me.data} />
    </Suspense>
  );
}

/** The first page of the account's first clan. */
export function Home() {
  const { data: me } = useMe();
  const clanId = me?.clans[0]?.clanId;
  const first = pages.find(({ scope }) =>
    clanId === undefined ? scope === "operator" && me?.operator : scope === "viewer",
  );
  if (first)
    return <Navigate to={first.scope === "viewer" ? `/clans/${clanId}/${first.path}` : `/${first.path}`} replace />;
  return (
    <Page title="Clan XP">
      <Empty title="Your account has no clan.">Ask an operator for access.</Empty>
    </Page>
  );
}
