// Paths and their pages. All pages except sign-in require a session; the server decides on access.
import { Suspense } from "react";
import { createBrowserRouter, Navigate, type RouteObject } from "react-router";
import { lazyPart } from "./lazy-part.ts";
import { NotFoundPage } from "./pages/not-found-page.tsx";
import { innerPages, pages } from "./pages.tsx";
import { Broken } from "./parts/broken.tsx";
import { Loading } from "./parts/states.tsx";
import { Home, Shell } from "./shell.tsx";

const AccountPage = lazyPart(() => import("./pages/account/account-page.tsx").then((m) => m.AccountPage));
const LinkPage = lazyPart(() => import("./pages/account/link-page.tsx").then((m) => m.LinkPage));
const ProviderPage = lazyPart(() => import("./pages/account/provider-page.tsx").then((m) => m.ProviderPage));

const listed: RouteObject[] = [...pages, ...innerPages].map(({ path, scope, Component }) => ({
  path: scope === "operator" ? `/${path}` : `/clans/:clanId/${path}`,
  element: <Component />,
}));

export const router = createBrowserRouter([
  {
    path: "/link",
    element: (
      <Suspense fallback={<Loading what="the link" />}>
        <LinkPage />
      </Suspense>
    ),
    errorElement: <Broken />,
  },
  {
    path: "/oidc/callback",
    element: (
      <Suspense fallback={<Loading what="your account" />}>
        <ProviderPage />
      </Suspense>
    ),
    errorElement: <Broken />,
  },
  {
    element: <Shell />,
    errorElement: <Broken />,
    children: [
      { path: "/", element: <Home /> },
      {
        path: "/clans/:clanId",
        element: <Navigate to={pages.find((page) => page.scope === "viewer")?.path ?? "/"} replace />,
      },
      { path: "/account", element: <AccountPage /> },
      ...listed,
      { path: "*", element: <NotFoundPage /> },
    ],
  },
]);
