// Serves the public pages of clans, to anybody: without sessions, cookies and bodies, beside everything else that the
// dashboard serves.
//
// Invariant: however many visitors look, each page is read from MongoDB at most once a second, and not at all while
// nobody looks. What does not exist, is not published or was deleted has one response, after the same reads.
import type { Request, RequestHandler, Response } from "express";
import { makeTtlCache } from "#async/ttl-cache.ts";
import { AppError } from "#kernel/app-error.ts";
import { plainAddress } from "#domain/ip-address.ts";
import type { Clan } from "#domain/clan.ts";
import type { PublicPageStore } from "#public-pages/ports.ts";
import type { ReadPublicPage } from "#public-pages/read-public-page.ts";
import type { Clock } from "#kernel/clock.ts";
import { STRICT_TRANSPORT } from "../http/security-headers.ts";
import { makeAddressAllowance } from "./address-allowance.ts";
import { COMMON_HEADERS, htmlHeaders, makePublicForms, type PublicForms, type SentForm } from "./public-forms.ts";
import { isPublicUrl, publicTargetOf, type PublicForm, type PublicTarget } from "./public-path.ts";
import { MISSING_PAGE } from "./render-page.ts";

/** What is published, hidden or unpublished takes effect within a second. */
const AGE_MAX_MS = 1_000;
/** A visitor without reads left sees an older page, but nothing that was erased longer ago than this. */
const STALE_MS_MAX = 60_000;
/** Some tens of kilobytes each. */
const PAGES_CACHED_MAX = 500;
const RETRY_S = 5;

type Deps = {
  isOn: boolean;
  /** The dashboard is configured for HTTPS. */
  isSecure: boolean;
  store: Pick<PublicPageStore, "find">;
  readPage: ReadPublicPage;
  clock: Pick<Clock, "agingMs" | "monotonicMs">;
};

const MISSING_HEADERS = { ...htmlHeaders("'none'"), "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };
const MISSING_BODY = Buffer.from(MISSING_PAGE);

export function makePublicPages({ isOn, isSecure, store, readPage, clock }: Deps): RequestHandler {
  const spendRead = makeAddressAllowance({ clock });
  const pages = makeTtlCache<PublicForms>({
    async load(keys) {
      const loaded = await Promise.all(keys.map(async (key) => [key, await load(key)] as const));
      return new Map(loaded.flatMap(([key, forms]) => (forms ? [[key, forms]] : [])));
    },
    ageMaxMs: AGE_MAX_MS,
    sizeMax: PAGES_CACHED_MAX,
    clock,
  });

  async function load(key: string): Promise<PublicForms | null> {
    const [slug = "", boardId = "", periodId = ""] = key.split(" ");
    const clan = await store.find(slug);
    if (!clan?.publicPage) return null;
    const shown = await shownOf(clan, clan.publicPage, { boardId, periodId });
    return shown && makePublicForms(shown, clan.publicPage);
  }

  function shownOf(clan: Clan, page: NonNullable<Clan["publicPage"]>, of: { boardId: string; periodId: string }) {
    return of.boardId === "" ? readPage.clan(clan, page) : readPage.period(clan, page, of);
  }

  /** What is cached, if it is not too old, for an address without reads left. */
  async function staleOf(key: string): Promise<PublicForms | undefined> {
    const known = pages.peek(key);
    return known && known.ageMs <= STALE_MS_MAX ? known.value : undefined;
  }

  async function serve(req: Request, res: Response): Promise<void> {
    const target = publicTargetOf(req.url);
    const form = target?.form ?? { kind: "html" };
    const key = keyOf(target);
    const spend = (): number => spendRead(plainAddress(req.ip ?? "unknown"));
    const isFresh = pages.peek(key)?.isFresh ?? false;
    const waitMs = isFresh ? 0 : spend();
    if (waitMs > 0) {
      const stale = await staleOf(key);
      return stale ? send(req, res, stale(form), form) : sendLimited(res, waitMs);
    }
    const forms = await pages.get(key);
    if (forms) return send(req, res, forms(form), form);
    const missedMs = isFresh ? spend() : 0;
    if (missedMs > 0) sendLimited(res, missedMs);
    else sendMissing(res);
  }

  return async (req, res, next) => {
    if (!isPublicUrl(req.url)) return next();
    if (isSecure || req.secure) res.set("Strict-Transport-Security", STRICT_TRANSPORT);
    if (!isOn) return sendMissing(res);
    if (req.method !== "GET" && req.method !== "HEAD")
      return sendText(res, 405, { Allow: "GET, HEAD" }, "This page can only be read.\n");
    try {
      await serve(req, res);
    } catch (error) {
      if (!(error instanceof AppError) || res.headersSent) throw error;
      const headers = { "Retry-After": String(RETRY_S) };
      sendText(res, 503, headers, "The page cannot be read at the moment. Try again shortly.\n");
    }
  };
}

/** No clan has the slug of what is no address: it is searched like any other. */
function keyOf(target: PublicTarget | null): string {
  return target ? `${target.slug} ${target.boardId ?? ""} ${target.periodId}` : "-";
}

function send(req: Request, res: Response, { etag, plain, gzip }: SentForm, form: PublicForm): void {
  // As a header, since a page that names it is not accessible: nobody can stop it.
  if (form.kind === "embed" && form.refreshS !== null) res.set("Refresh", String(form.refreshS));
  const { headers, body } = req.acceptsEncodings("gzip") === "gzip" ? gzip : plain;
  if (isKnown(req, etag)) {
    const { "Content-Length": _length, "Content-Encoding": _encoding, ...others } = headers;
    res.writeHead(304, others).end();
  } else {
    // Node leaves the body out of a response to HEAD.
    res.writeHead(200, headers).end(body);
  }
}

/** Whatever `Cache-Control` the request has: what is cached in between is not older than what the visitor has. */
function isKnown(req: Request, etag: string): boolean {
  const known = (req.get("if-none-match") ?? "").split(",").map((text) => text.trim().replace(/^W\//, ""));
  return known.includes(etag.replace(/^W\//, ""));
}

function sendMissing(res: Response): void {
  const headers = { ...COMMON_HEADERS, ...MISSING_HEADERS, "Content-Length": MISSING_BODY.length };
  res.writeHead(404, headers).end(MISSING_BODY);
}

function sendLimited(res: Response, waitMs: number): void {
  const headers = { "Retry-After": String(Math.ceil(waitMs / 1_000)) };
  sendText(res, 429, headers, "Too many pages were requested from your address. Try again later.\n");
}

function sendText(res: Response, status: number, headers: Record<string, string>, text: string): void {
  const common = { ...COMMON_HEADERS, "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  res.writeHead(status, { ...common, ...headers, "Content-Length": Buffer.byteLength(text) }).end(text);
}
