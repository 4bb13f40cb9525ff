// The settings of a public page, as the command line prints them and the dashboard reads them.
import type { PublicPage } from "#domain/public-page.ts";

/** All public pages are below this path of the dashboard. */
export const PUBLIC_PATH = "/c/";

export type PublicPageSettingsResponse = {
  names: boolean;
  boards: "all" | "none" | string[];
  index: boolean;
  frames: "any" | "none" | string[];
};
export type PublicPageResponse = PublicPageSettingsResponse & { slug: string; url: string; publishedAt: string };

/** Null: the page is not published. `dashboardUrl`: the address of the dashboard, which serves it. */
export function publicPageResponse(page: PublicPage | undefined, dashboardUrl: string): PublicPageResponse | null {
  if (!page?.isPublished || page.slug === null || page.publishedAt === null) return null;
  const { slug, publishedAt } = page;
  const url = `${dashboardUrl}${PUBLIC_PATH}${slug}`;
  return { slug, url, ...publicSettings(page), publishedAt: publishedAt.toISOString() };
}

export function publicSettings({ names, boards, index, frames }: PublicPage): PublicPageSettingsResponse {
  return {
    names,
    boards: typeof boards === "string" ? boards : [...boards],
    index,
    frames: typeof frames === "string" ? frames : [...frames],
  };
}
