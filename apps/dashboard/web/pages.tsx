// The pages in the order of the navigation. A page is loaded when it is first opened. Its icon is in
// parts/page-icons.ts.
import type { ComponentType } from "react";
import { mayAct } from "#domain/account.ts";
import type { Me } from "#contract/dashboard/account.ts";
import { lazyPart } from "./lazy-part.ts";

type PageEntry = {
  label: string;
  /** The heading above it in the navigation; without one, none. */
  group?: "People" | "Play" | "Developers" | "Operators";
  /** Below `/clans/{clanId}/`, or below `/` for an operator's pages. */
  path: string;
  /** Who may open it: of one clan, or `operator`, a page about all clans. */
  scope: "viewer" | "key-viewer" | "owner" | "operator";
  Component: ComponentType;
};

export const pages: readonly PageEntry[] = [
  {
    label: "Overview",
    path: "overview",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/overview/overview-page.tsx").then((m) => m.OverviewPage)),
  },
  {
    label: "Members",
    group: "People",
    path: "members",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/members/members-page.tsx").then((m) => m.MembersPage)),
  },
  {
    label: "Awards",
    group: "People",
    path: "awards",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/awards/awards-page.tsx").then((m) => m.AwardsPage)),
  },
  {
    label: "People",
    group: "People",
    path: "people",
    scope: "owner",
    Component: lazyPart(() => import("./pages/people/people-page.tsx").then((m) => m.PeoplePage)),
  },
  {
    label: "Audit log",
    group: "People",
    path: "audit",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/audit/audit-page.tsx").then((m) => m.AuditPage)),
  },
  {
    label: "Ranks",
    group: "Play",
    path: "ranks",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/ranks/ranks-page.tsx").then((m) => m.RanksPage)),
  },
  {
    label: "Boards",
    group: "Play",
    path: "boards",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/boards/boards-page.tsx").then((m) => m.BoardsPage)),
  },
  {
    label: "Boosts",
    group: "Play",
    path: "boosts",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/boosts/boosts-page.tsx").then((m) => m.BoostsPage)),
  },
  {
    label: "Public page",
    group: "Play",
    path: "public-page",
    scope: "owner",
    Component: lazyPart(() => import("./pages/public-page/public-page-page.tsx").then((m) => m.PublicPagePage)),
  },
  {
    label: "API keys",
    group: "Developers",
    path: "keys",
    scope: "key-viewer",
    Component: lazyPart(() => import("./pages/keys/keys-page.tsx").then((m) => m.KeysPage)),
  },
  {
    label: "Events",
    group: "Developers",
    path: "events",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/events/events-page.tsx").then((m) => m.EventsPage)),
  },
  {
    label: "Destinations",
    group: "Developers",
    path: "destinations",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/destinations/destinations-page.tsx").then((m) => m.DestinationsPage)),
  },
  {
    label: "Batches",
    group: "Developers",
    path: "batches",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/batches/batches-page.tsx").then((m) => m.BatchesPage)),
  },
  {
    label: "Clans",
    group: "Operators",
    path: "clans",
    scope: "operator",
    Component: lazyPart(() => import("./pages/clans/clans-page.tsx").then((m) => m.ClansPage)),
  },
  {
    label: "Queue",
    group: "Operators",
    path: "queue",
    scope: "operator",
    Component: lazyPart(() => import("./pages/queue/queue-page.tsx").then((m) => m.QueuePage)),
  },
];

/** The pages that a person may open, with their addresses. */
export function pagesFor(me: Me, clanId: string | undefined): (PageEntry & { to: string })[] {
  const account = { operator: me.operator, grants: me.clans };
  const mayOpen = (scope: PageEntry["scope"]): boolean =>
    (scope === "operator" || clanId !== undefined) && mayAct(account, scope, clanId ?? null);
  return pages
    .filter(({ scope }) => mayOpen(scope))
    .map((page) => ({ ...page, to: page.scope === "operator" ? `/${page.path}` : `/clans/${clanId}/${page.path}` }));
}

/** Pages that are not in the navigation, such as that of one member. */
export const innerPages: readonly Omit<PageEntry, "label" | "group">[] = [
  {
    path: "members/:platformId",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/members/member-page.tsx").then((m) => m.MemberPage)),
  },
  {
    path: "resets",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/members/resets-page.tsx").then((m) => m.ResetsPage)),
  },
  {
    path: "boards/:boardId",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/boards/board-page.tsx").then((m) => m.BoardPage)),
  },
  {
    path: "batches/:batchId",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/batches/batch-page.tsx").then((m) => m.BatchPage)),
  },
  {
    path: "reversals/:reversalId",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/audit/reversal-page.tsx").then((m) => m.ReversalPage)),
  },
  {
    path: "destinations/:destinationId",
    scope: "viewer",
    Component: lazyPart(() => import("./pages/destinations/destination-page.tsx").then((m) => m.DestinationPage)),
  },
];
