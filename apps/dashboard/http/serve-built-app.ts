// The built pages, read into memory once, so that a new build on disk does not affect a running process.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RequestHandler } from "express";
import { BUILT_FILE_VARIES_BY, builtFile } from "#http/built-file.ts";

const PAGE = "/index.html";
/** For files in assets/, whose names contain a hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves the app's files, and its HTML page at every other path, because the app routes its pages itself. Throws if it
 * was not built.
 */
export function serveBuiltApp(folder: string): RequestHandler {
  const files = readFiles(folder);
  const read = (path: string): Buffer | null => files.get(path) ?? null;
  if (!read(PAGE))
    throw new Error(
      `The pages of the dashboard are not built: there is no ${join(folder, PAGE)}. Run npm run dashboard.`,
    );
  return (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const isHashed = req.path.startsWith("/assets/");
    // A request for a file of a newer or older build must not receive the HTML page.
    const file = builtFile(req, req.path, read) ?? (isHashed ? null : builtFile(req, PAGE, read));
    if (!file) return next();
    res.set({ "Content-Type": file.contentType, ETag: file.etag, Vary: BUILT_FILE_VARIES_BY });
    if (file.encoding) res.set("Content-Encoding", file.encoding);
    if (isHashed) res.set("Cache-Control", IMMUTABLE);
    if (req.fresh) res.status(304).end();
    else res.end(file.body);
  };
}

function readFiles(folder: string): Map<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(folder.length).replaceAll("\\", "/"), readFileSync(path)]));
}
