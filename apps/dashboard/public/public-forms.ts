// What was read of a clan for a public page, in the forms that visitors ask for. Each form is made once.
import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { dropOldest } from "#async/drop-oldest.ts";
import type { PublicPage } from "#domain/public-page.ts";
import type { PublicClan, PublicPeriod } from "#public-pages/read-public-page.ts";
import { publicJson } from "./page-json.ts";
import { contentPolicy } from "./page-style.ts";
import type { PublicForm } from "./public-path.ts";
import { renderEmbed, renderPage } from "./render-page.ts";

/** Complete, so that a response costs as little as possible. */
type Sent = { headers: Readonly<Record<string, string | number>>; body: Buffer };
export type SentForm = { etag: string; plain: Sent; gzip: Sent };
/** The form of a page that is asked for. */
export type PublicForms = (form: PublicForm) => SentForm;

type Shown = PublicClan | PublicPeriod;

/** Of every response. */
export const COMMON_HEADERS = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" };

/** The two of a page, and embeds with some options: a few kilobytes each. */
const FORMS_MAX = 16;
/** 128 bits in base64url. */
const ETAG_CHARS = 22;
const NEVER = new Date(0);

export function makePublicForms(shown: Shown, page: PublicPage): PublicForms {
  const made = new Map<string, SentForm>();
  return (form) => {
    // How often an embed loads itself again does not change its text.
    const key = form.kind === "embed" ? `embed ${form.rows} ${form.theme}` : form.kind;
    const known = made.get(key);
    if (known) return known;
    const sent = formOf(shown, page, form);
    made.set(key, sent);
    dropOldest(made, FORMS_MAX);
    return sent;
  };
}

function formOf(shown: Shown, page: PublicPage, form: PublicForm): SentForm {
  const body = Buffer.from(textOf(shown, page, form));
  // Of what is shown, but not when: a visitor who has it needs no other.
  const digest = hash("sha256", textOf({ ...shown, asOf: NEVER }, page, form), "base64url");
  // Weak: the compressed form has the same, and `asOf` may differ.
  const etag = `W/"${digest.slice(0, ETAG_CHARS)}"`;
  const headers = {
    ...COMMON_HEADERS,
    ...headersOf(page, form),
    "Cache-Control": "public, max-age=15",
    ETag: etag,
    Vary: "Accept-Encoding",
  };
  const packed = gzipSync(body);
  return {
    etag,
    plain: { headers: { ...headers, "Content-Length": body.length }, body },
    gzip: { headers: { ...headers, "Content-Encoding": "gzip", "Content-Length": packed.length }, body: packed },
  };
}

function textOf(shown: Shown, page: PublicPage, form: PublicForm): string {
  switch (form.kind) {
    case "html":
      return renderPage(shown, page);
    case "json":
      return JSON.stringify(publicJson(shown));
    case "embed":
      return renderEmbed(shown, form);
  }
}

function headersOf({ index, frames }: PublicPage, form: PublicForm): Record<string, string> {
  const hidden = { "X-Robots-Tag": "noindex" };
  switch (form.kind) {
    case "html":
      return { ...htmlHeaders("'none'"), ...(index ? {} : hidden) };
    case "json":
      return {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Security-Policy": contentPolicy("'none'"),
        "Access-Control-Allow-Origin": "*",
        ...hidden,
      };
    case "embed":
      return { ...htmlHeaders(ancestorsOf(frames)), ...hidden };
  }
}

export function htmlHeaders(ancestors: string): Record<string, string> {
  return { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": contentPolicy(ancestors) };
}

function ancestorsOf(frames: PublicPage["frames"]): string {
  if (frames === "any") return "*";
  return frames === "none" ? "'none'" : frames.join(" ");
}
