// The documentation site, as `npm run docs` built it. A page without its extension is an HTML file; everything else has
// the name of its file. Files are read on each request, so a site that is built later is served without a restart.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { HttpResponse } from "./http/response.ts";

/** What the site has at a path below /docs; null if it has nothing there, or is not built. */
export type DocsSite = (path: string) => HttpResponse | null;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** Its own files, and the API for requests of the page Try it. Swagger UI has pictures in its style sheet. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** No path leaves the folder: no part of it begins with a dot. */
const PATH = /^\/docs(?<rest>(?:\/[\w@-][\w.@-]*)*)\/?$/;
/** The names of these files contain a hash or the version of their content. */
const ASSETS = "/assets/";

/** `folder`: where the site is, or will be. */
export function makeDocsSite(folder: string): DocsSite {
  return (path) => {
    const rest = PATH.exec(path)?.groups?.["rest"];
    if (rest === undefined) return null;
    const file = rest === "" ? "/index.html" : types[extname(rest)] ? rest : `${rest}.html`;
    const contentType = types[extname(file)];
    const body = contentType === undefined ? null : readIfExists(join(folder, file));
    if (contentType === undefined || body === null) return null;
    return { status: 200, contentType, policy: POLICY, isImmutable: file.startsWith(ASSETS), body };
  };
}

/** A build that ends replaces the whole folder, at any moment. */
function readIfExists(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
