// The page of a clan that anybody may read once an owner has published it: its address, what it shows, and who may
// embed it. Nothing of a clan is public before.
import { foldedName } from "#domain/member-name.ts";

/** Boards of a page: all of the clan, none, or those with these ids. */
export type PublicBoards = "all" | "none" | readonly string[];
/** Pages that may embed boards: any, none, or those of these origins. */
export type PublicFrames = "any" | "none" | readonly string[];

/** `index`: search engines may list it. */
export type PublicPageSettings = { names: boolean; boards: PublicBoards; index: boolean; frames: PublicFrames };

/**
 * `slug`: the last part of its address; of a page that is not published, the last one. `publishedAt`: the first time.
 */
export type PublicPage = PublicPageSettings & {
  slug: string | null;
  isPublished: boolean;
  publishedAt: Date | null;
};

export const PUBLIC_PAGE_DEFAULT: PublicPage = {
  slug: null,
  isPublished: false,
  names: false,
  boards: "all",
  index: false,
  frames: "none",
  publishedAt: null,
};

const SLUG_CHARS_MIN = 3;
const SLUG_CHARS_MAX = 40;
/** What a slug must be, after "must have" and the like. */
export const SLUG_FORM = `${SLUG_CHARS_MIN} to ${SLUG_CHARS_MAX} characters of a-z 0-9, with single hyphens between them`;
/** A link that people have shared must not lead to another clan. */
export const SLUG_RESERVED_DAYS = 30;
/** Otherwise one clan could reserve any number of them. */
export const SLUGS_RESERVED_MAX = 3;
/** Clans with the same name, each of which finds a free slug. */
const SLUG_NUMBER_MAX = 100;
/** A few web sites of a clan; each is in a header of every response. */
export const FRAME_ORIGINS_MAX = 10;

/** Players that a page shows. */
export const PUBLIC_ROWS_MAX = 100;

export function isSlug(text: string): boolean {
  return text.length >= SLUG_CHARS_MIN && text.length <= SLUG_CHARS_MAX && /^[a-z0-9](?:-?[a-z0-9])*$/.test(text);
}

/** The slugs that a clan of this name tries, in order: with a number if others have taken the first ones. */
export function slugsFor(name: string): string[] {
  const words = foldedName(name).match(/[a-z0-9]+/g) ?? [];
  const short = words.join("-");
  const base = short.length < SLUG_CHARS_MIN ? ["clan", ...words].join("-") : short;
  return Array.from({ length: SLUG_NUMBER_MAX }, (_, index) => {
    const end = index === 0 ? "" : `-${index + 1}`;
    return `${base.slice(0, SLUG_CHARS_MAX - end.length).replace(/-$/, "")}${end}`;
  });
}

/** Host names and addresses alone: what else a URL permits would have a meaning in the header that names it. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What an origin must be, after "must be" and the like. */
export const FRAME_ORIGIN_FORM = "an origin such as https://clans.example.com, without a path or a wildcard";

/** The origin as browsers write it; null if it is none, or is neither HTTPS nor on the visitor's own machine. */
export function frameOriginOf(text: string): string | null {
  const url = /^https?:\/\/[^/?#@\\\s*]+$/i.test(text) ? URL.parse(text) : null;
  if (!url || !ORIGIN.test(url.origin)) return null;
  return url.protocol === "https:" || LOOPBACK.test(url.hostname) ? url.origin : null;
}

/** Whether the page has this board, if the clan does. */
export function showsBoard({ boards }: Pick<PublicPage, "boards">, boardId: string): boolean {
  return boards === "all" || (boards !== "none" && boards.includes(boardId));
}
