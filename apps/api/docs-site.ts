// The documentation site, as `npm run docs` built it. A page without its extension is an HTML file; everything else has
// the name of its file. A request looks for its file, so a site that is built later is served without a restart, but
// reads it only if it has changed: without an API key, a request must cost no more than its rejection.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Request } from "express";
import { BUILT_FILE_VARIES_BY, builtFile } from "#http/built-file.ts";
import type { HttpResponse } from "./http/response.ts";

/** What the site has at a path below /docs; null if it has nothing there, or is not built. */
export type DocsSite = (path: string, req: Pick<Request, "acceptsEncodings">) => HttpResponse | null;

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
  const readChanged = makeReadChanged();
  const read = (file: string): Buffer | null => readChanged(join(folder, file));
  return (path, req) => {
    const rest = PATH.exec(path)?.groups?.["rest"];
    if (rest === undefined) return null;
    const name = rest === "" ? "/index.html" : rest;
    const file = builtFile(req, name, read) ?? builtFile(req, `${name}.html`, read);
    if (file === null) return null;
    const { contentType, encoding, etag, body } = file;
    const headers = ["vary", BUILT_FILE_VARIES_BY, ...(encoding ? ["content-encoding", encoding] : [])];
    return { status: 200, contentType, policy: POLICY, isImmutable: name.startsWith(ASSETS), etag, headers, body };
  };
}

/** Files stay in memory, which also keeps their etags. Nothing is stored for a path without a file. */
function makeReadChanged(): (file: string) => Buffer | null {
  const files = new Map<string, { version: string; body: Buffer }>();

  return (file) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) {
      files.delete(file);
      return null;
    }
    const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    const known = files.get(file);
    if (known?.version === version) return known.body;
    const body = readIfExists(file);
    if (body) files.set(file, { version, body });
    return body;
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
