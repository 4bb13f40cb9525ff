// The clan's public page, for its owners: its settings, a preview, and the members whom it hides.
import { z } from "zod";
import { BOARDS_PER_CLAN_MAX, isBoardId } from "#domain/board.ts";
import { FRAME_ORIGIN_FORM, FRAME_ORIGINS_MAX, frameOriginOf, isSlug, SLUG_FORM } from "#domain/public-page.ts";
import { ClanParams, Done, endpoint, HtmlPage, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { Instant, PlatformId } from "#contract/text.ts";

const FrameOrigin = z.string().transform((text, context) => {
  const origin = frameOriginOf(text);
  if (origin !== null) return origin;
  context.addIssue({ code: "custom", message: `must be ${FRAME_ORIGIN_FORM}` });
  return z.NEVER;
});
const BoardId = z.string().refine(isBoardId, { error: "must be the id of a board" });
const unique = (items: string[]): string[] => [...new Set(items)];

const boardsBesides = <Boards extends z.ZodType>(boards: Boards) => z.union([z.enum(["all", "none"]), boards]);
const framesBesides = <Frames extends z.ZodType>(frames: Frames) => z.union([z.enum(["any", "none"]), frames]);

/** `publish` false: only the settings change. What is absent stays as it is. */
const ChangePublicPageRequest = z
  .strictObject({
    publish: z.boolean(),
    slug: z
      .string()
      .refine(isSlug, { error: `must have ${SLUG_FORM}` })
      .exactOptional(),
    names: z.boolean().exactOptional(),
    boards: boardsBesides(z.array(BoardId).min(1).max(BOARDS_PER_CLAN_MAX).transform(unique)).exactOptional(),
    index: z.boolean().exactOptional(),
    frames: framesBesides(z.array(FrameOrigin).min(1).max(FRAME_ORIGINS_MAX).transform(unique)).exactOptional(),
  })
  .meta({ id: "ChangePublicPageRequest" });
export type ChangePublicPageRequest = z.input<typeof ChangePublicPageRequest>;

/** `page` null: it is not published. `settings`: also of a page that is not published yet. */
export const PublicPageFacts = z.strictObject({
  page: z.strictObject({ slug: z.string(), url: z.string(), publishedAt: Instant }).nullable(),
  settings: z.strictObject({
    names: z.boolean(),
    boards: boardsBesides(z.array(z.string())),
    index: z.boolean(),
    frames: framesBesides(z.array(z.string())),
  }),
  /** Operators let the dashboard serve public pages. */
  isServed: z.boolean(),
});
export type PublicPageFacts = z.infer<typeof PublicPageFacts>;

/** `hiddenBy`: an owner of the clan, the game, or both. */
export const HiddenPlayer = z.strictObject({
  platformId: PlatformId,
  name: z.string().nullable(),
  hiddenBy: z.array(z.enum(["owner", "game"])),
});
export type HiddenPlayer = z.infer<typeof HiddenPlayer>;

const path = "/api/clans/{clanId}/public-page";
const base = { access: "owner", query: NoQuery } as const;

export const publicPageEndpoints = {
  "read-public-page": endpoint({
    ...base,
    method: "GET",
    path,
    params: ClanParams,
    body: NoBody,
    response: PublicPageFacts,
  }),
  "change-public-page": endpoint({
    ...base,
    method: "PUT",
    path,
    params: ClanParams,
    body: ChangePublicPageRequest,
    response: PublicPageFacts,
  }),
  "unpublish-public-page": endpoint({
    ...base,
    method: "DELETE",
    path,
    params: ClanParams,
    body: NoBody,
    response: PublicPageFacts,
  }),
  "preview-public-page": endpoint({
    ...base,
    method: "GET",
    path: `${path}/preview`,
    params: ClanParams,
    body: NoBody,
    response: HtmlPage,
  }),
  "list-hidden-players": endpoint({
    ...base,
    method: "GET",
    path: `${path}/hidden`,
    params: ClanParams,
    query: z.strictObject({ cursor: z.string().optional() }),
    body: NoBody,
    response: z.strictObject({ players: z.array(HiddenPlayer), nextCursor: z.string().nullable() }),
  }),
  "hide-player": endpoint({
    ...base,
    method: "PUT",
    path: `${path}/hidden/{platformId}`,
    params: ClanParams.extend({ platformId: PlatformId }),
    body: z.strictObject({ hidden: z.boolean() }),
    response: Done,
  }),
};
