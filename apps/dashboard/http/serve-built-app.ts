// The built pages, read into memory once, so that a new build on disk does not affect a running process.
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
/** For files in assets/, whose names contain a hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the app's files, and its HTML page at every other path, because the app routes its pages itself. Throws if it
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
    // A request for a file of a newer or older build must not receive the HTML page.
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
