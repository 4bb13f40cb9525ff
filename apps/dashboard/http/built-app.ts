// The built pages, read into memory once: a build that replaces them on disk changes nothing for a process that runs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { RequestHandler } from "express";

type Asset = { type: string; body: Buffer; gzip: Buffer };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** Of files in assets/: their names hold a hash of what they contain. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the app's files, and its page at every path that is no file: the app itself knows its pages. Throws when it
 * was not built.
 */
export function serveBuiltApp(folder: string): RequestHandler {
  const assets = readAssets(folder);
  const page = assets.get("/index.html");
  if (!page)
    throw new Error(
      `The pages of the dashboard are not built: there is no ${join(folder, "index.html")}. Run npm run dashboard.`,
    );
  return (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const asset = assets.get(req.path);
    const isHashed = req.path.startsWith("/assets/");
    // A file that a newer or older build had must not be answered with a page.
    if (!asset && isHashed) return next();
    const { type, body, gzip } = asset ?? page;
    res.set({ "Content-Type": type, Vary: "Accept-Encoding", ...(isHashed ? { "Cache-Control": IMMUTABLE } : {}) });
    if (req.acceptsEncodings("gzip") === "gzip") res.set("Content-Encoding", "gzip").end(gzip);
    else res.end(body);
  };
}

function readAssets(folder: string): Map<string, Asset> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const type = types[extname(entry.name)];
      const body = readFileSync(path);
      return type === undefined
        ? []
        : [[path.slice(folder.length).replaceAll("\\", "/"), { type, body, gzip: gzipSync(body) }] as const];
    }),
  );
}
