// The clan's public page, for its owners, by the same use cases as the command line.
import type { publicPageEndpoints, PublicPageFacts } from "#contract/dashboard/public-page.ts";
import { encodeCursor, HiddenCursor } from "#contract/page.ts";
import { publicPageResponse, publicSettings } from "#contract/public-page.ts";
import { PUBLIC_PAGE_DEFAULT, SLUG_RESERVED_DAYS } from "#domain/public-page.ts";
import type { Clan } from "#domain/clan.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { ChangePublicPage } from "#public-pages/change-public-page.ts";
import type { HiddenMembers, PublicPageStore } from "#public-pages/ports.ts";
import type { ReadPublicPage } from "#public-pages/read-public-page.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";
import { contentPolicy } from "../public/page-style.ts";
import { renderPage } from "../public/render-page.ts";

const PLAYERS_PER_PAGE = 50;
/** Only the dashboard's own pages show it. */
const PREVIEW_HEADERS = { "Content-Security-Policy": contentPolicy("'self'"), "X-Frame-Options": "SAMEORIGIN" };

type Deps = {
  clans: Pick<ClanStore, "read">;
  changePublicPage: ChangePublicPage;
  publicPages: Pick<PublicPageStore, "unpublish">;
  hiddenMembers: HiddenMembers;
  readPage: ReadPublicPage;
  /** Operators let the dashboard serve public pages. */
  isServed: boolean;
  /** The configured address of the dashboard; null: that at which the caller sees it. */
  dashboardUrl: string | null;
};

export function makePublicPageRoutes(deps: Deps): Routes<typeof publicPageEndpoints> {
  const { clans, hiddenMembers, isServed, dashboardUrl } = deps;

  async function clanOf(clanId: string): Promise<Clan> {
    const clan = (await clans.read([clanId])).get(clanId);
    if (!clan) throw noClan();
    return clan;
  }

  /** `origin`: at which the caller sees the dashboard. */
  function factsOf({ publicPage = PUBLIC_PAGE_DEFAULT }: Clan, origin: string): PublicPageFacts {
    const page = publicPageResponse(publicPage, dashboardUrl ?? origin);
    const shown = page && { slug: page.slug, url: page.url, publishedAt: page.publishedAt };
    return { page: shown, settings: publicSettings(publicPage), isServed };
  }

  return {
    async "read-public-page"({ params: { clanId }, origin }) {
      return factsOf(await clanOf(clanId), origin);
    },

    async "change-public-page"({ params: { clanId }, body, by, origin }) {
      const changed = await deps.changePublicPage(clanId, body, by);
      switch (changed.kind) {
        case "changed":
          return factsOf(changed.clan, origin);
        case "no_clan":
          throw noClan();
        case "no_board":
          throw new DashboardError("conflict", `The clan has no board ${changed.boardId}. Nothing was changed.`);
        case "slug_taken":
          throw slugTaken();
      }
    },

    async "unpublish-public-page"({ params: { clanId }, by, origin }) {
      const done = await deps.publicPages.unpublish(clanId, by);
      if (!done) throw noClan();
      return factsOf(done.clan, origin);
    },

    async "preview-public-page"({ params: { clanId } }) {
      const clan = await clanOf(clanId);
      const page = clan.publicPage ?? PUBLIC_PAGE_DEFAULT;
      const shown = await deps.readPage.clan(clan, page);
      return { html: renderPage(shown, { slug: null, index: false }), headers: PREVIEW_HEADERS };
    },

    async "list-hidden-players"({ params: { clanId }, query: { cursor } }) {
      const after = positionIn(HiddenCursor, cursor)?.[1] ?? null;
      const { items, next } = await hiddenMembers.list(clanId, { limit: PLAYERS_PER_PAGE, after });
      return {
        players: items.map(({ hiddenBy, ...player }) => ({ ...player, hiddenBy: [...hiddenBy] })),
        nextCursor: next === null ? null : encodeCursor(["hidden", next]),
      };
    },

    async "hide-player"({ params, body: { hidden }, by }) {
      if (!(await hiddenMembers.set(params, hidden, by)))
        throw new DashboardError("conflict", "This player is being erased. Nothing was changed.");
      return { done: true };
    },
  };
}

function noClan(): DashboardError {
  return new DashboardError("not_found", "There is no such clan. Nothing was changed.");
}

function slugTaken(): DashboardError {
  const detail = `is taken by another clan, or was in the last ${SLUG_RESERVED_DAYS} days`;
  return new DashboardError("conflict", `This address ${detail}. Nothing was changed: choose another one.`, {
    faults: [{ pointer: "/slug", detail }],
  });
}
