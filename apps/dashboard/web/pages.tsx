// The pages in the order of the navigation. A page is loaded when it is first opened.
import { lazy, type ComponentType } from "react";
import { loadModule } from "./load-module.ts";

type PageEntry = {
  label: string;
  /** Below `/clans/{clanId}/`, or below `/` for an operator's pages. */
  path: string;
  /** `clan`: a page of one clan. `operator`: a page for operators, about all clans. */
  scope: "clan" | "operator";
  Component: ComponentType;
};

export const pages: readonly PageEntry[] = [
  {
    label: "Overview",
    path: "overview",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/overview/overview-page.tsx")).then((m) => ({ default: m.OverviewPage })),
    ),
  },
  {
    label: "Members",
    path: "members",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/members/members-page.tsx")).then((m) => ({ default: m.MembersPage })),
    ),
  },
  {
    label: "Ranks",
    path: "ranks",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/ranks/ranks-page.tsx")).then((m) => ({ default: m.RanksPage })),
    ),
  },
  {
    label: "API keys",
    path: "keys",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/keys/keys-page.tsx")).then((m) => ({ default: m.KeysPage })),
    ),
  },
  {
    label: "Batches",
    path: "batches",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/batches/batches-page.tsx")).then((m) => ({ default: m.BatchesPage })),
    ),
  },
  {
    label: "Audit log",
    path: "audit",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/audit/audit-page.tsx")).then((m) => ({ default: m.AuditPage })),
    ),
  },
  {
    label: "Clans",
    path: "clans",
    scope: "operator",
    Component: lazy(() =>
      loadModule(() => import("./pages/clans/clans-page.tsx")).then((m) => ({ default: m.ClansPage })),
    ),
  },
  {
    label: "Queue",
    path: "queue",
    scope: "operator",
    Component: lazy(() =>
      loadModule(() => import("./pages/queue/queue-page.tsx")).then((m) => ({ default: m.QueuePage })),
    ),
  },
];

/** Pages that are not in the navigation, such as that of one member. */
export const innerPages: readonly Omit<PageEntry, "label">[] = [
  {
    path: "members/:platformId",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/members/member-page.tsx")).then((m) => ({ default: m.MemberPage })),
    ),
  },
  {
    path: "batches/:batchId",
    scope: "clan",
    Component: lazy(() =>
      loadModule(() => import("./pages/batches/batch-page.tsx")).then((m) => ({ default: m.BatchPage })),
    ),
  },
];
