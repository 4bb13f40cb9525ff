// The addresses of public pages. They are compared as they are: another spelling of one is the address of nothing.
import { PUBLIC_PATH } from "#contract/public-page.ts";
import { isSlug } from "#domain/public-page.ts";

/** `theme` null: the visitor's. `refreshS` null: the page does not load itself again. */
export type EmbedOptions = { rows: number; theme: "light" | "dark" | null; refreshS: number | null };

export type PublicForm = { kind: "html" } | { kind: "json" } | ({ kind: "embed" } & EmbedOptions);
/** `boardId` null: all time. `periodId`: also `current` and `previous`. */
export type PublicTarget = { slug: string; boardId: string | null; periodId: string; form: PublicForm };

const PAGE =
  /^(?<slug>[a-z0-9-]+)(?:\/boards\/(?<boardId>[a-z0-9-]{1,32})(?:\/(?<periodId>\d{8}T\d{6}Z(?:\d{3})?|previous))?)?(?<json>\.json)?$/;
const EMBED = /^(?<slug>[a-z0-9-]+)\/embed$/;
const BOARD_ID = /^[a-z0-9-]{1,32}$/;

const EMBED_ROWS = { min: 5, max: 50, standard: 10 };
const REFRESH_S = { min: 15, max: 3_600 };

export function isPublicUrl(url: string): boolean {
  return url.startsWith(PUBLIC_PATH);
}

/** `url`: path and query as they were sent. Null: there is no such page, of any clan. */
export function publicTargetOf(url: string): PublicTarget | null {
  const [path, query] = split(url.slice(PUBLIC_PATH.length));
  const embed = EMBED.exec(path)?.groups?.["slug"];
  const target = embed === undefined ? pageOf(path) : embedOf(embed, new URLSearchParams(query));
  return target && isSlug(target.slug) ? target : null;
}

function split(text: string): [string, string] {
  const at = text.indexOf("?");
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function pageOf(path: string): PublicTarget | null {
  const { slug, boardId, periodId, json } = PAGE.exec(path)?.groups ?? {};
  if (slug === undefined) return null;
  const form = { kind: json === undefined ? "html" : "json" } as const;
  return { slug, boardId: boardId ?? null, periodId: periodId ?? "current", form };
}

function embedOf(slug: string, query: URLSearchParams): PublicTarget | null {
  const board = one(query, "board");
  const rows = numberIn(one(query, "rows"), EMBED_ROWS);
  const refreshS = numberIn(one(query, "refresh"), REFRESH_S);
  const theme = one(query, "theme");
  if (rows === undefined || refreshS === undefined || (board !== null && !BOARD_ID.test(board))) return null;
  if (theme !== null && theme !== "light" && theme !== "dark") return null;
  const form = { kind: "embed", rows: rows ?? EMBED_ROWS.standard, theme, refreshS } as const;
  return { slug, boardId: board, periodId: "current", form };
}

/** Null: it is not given. One that is given twice has no valid value. */
function one(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  return values.length > 1 ? "" : (values[0] ?? null);
}

/** Undefined: it is not valid. */
function numberIn(text: string | null, { min, max }: { min: number; max: number }): number | null | undefined {
  if (text === null) return null;
  const number = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0;
  return number >= min && number <= max ? number : undefined;
}
