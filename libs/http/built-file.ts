// A file of built pages, in the smallest form that the request accepts. The build has stored the compressed forms
// beside it (scripts/system/compress-files.ts), so a request costs no compression.
import { createHash } from "node:crypto";
import { extname } from "node:path";
import type { Request } from "express";

/** `etag`: of this form, since a cache must not take one form for the other. */
export type BuiltFile = { contentType: string; encoding: "br" | "gzip" | null; etag: string; body: Buffer };

/** A response depends on this header, also if a file has one form only. */
export const BUILT_FILE_VARIES_BY = "accept-encoding";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** The smallest first: browsers list them in another order, and mean none by it. */
const forms = [
  ["br", ".br"],
  ["gzip", ".gz"],
  [null, ""],
] as const;
/** 128 bits in base64url: more than two forms of a file, or two builds of it, need to differ. */
const ETAG_CHARS = 22;

/** `read`: what is stored at a path, null if nothing is. Null if the file is missing, or is no part of pages. */
export function builtFile(
  req: Pick<Request, "acceptsEncodings">,
  path: string,
  read: (path: string) => Buffer | null,
): BuiltFile | null {
  const contentType = types[extname(path)];
  if (contentType === undefined) return null;
  for (const [encoding, ending] of forms) {
    const isAccepted = encoding === null || req.acceptsEncodings(encoding) === encoding;
    const body = isAccepted ? read(path + ending) : null;
    if (body) return { contentType, encoding, etag: etagOf(body), body };
  }
  return null;
}

/** Of files that stay in memory, computed once. */
const etags = new WeakMap<Buffer, string>();

function etagOf(body: Buffer): string {
  const known = etags.get(body);
  if (known !== undefined) return known;
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, ETAG_CHARS)}"`;
  etags.set(body, etag);
  return etag;
}
