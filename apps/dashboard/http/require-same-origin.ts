// Changes are accepted only from the dashboard's own pages, whatever cookies a browser sends.
import type { RequestHandler } from "express";
import { DashboardError } from "./dashboard-error.ts";
import { ownOriginOf } from "./own-origin.ts";

/** `ownOrigin`: the configured origin of the dashboard, if any. */
export function requireSameOrigin(ownOrigin: string | null): RequestHandler {
  return (req, _res, next) => {
    if (req.method === "GET" || req.method === "HEAD") return next();
    const site = req.get("sec-fetch-site");
    const origin = req.get("origin");
    const own = ownOriginOf(req, ownOrigin);
    // A browser sends at least one of these headers with every change.
    const isOwn = (origin === undefined || origin === own) && (site === undefined || site === "same-origin");
    if (isOwn && (origin !== undefined || site !== undefined)) return next();
    throw new DashboardError("cross_origin", "This request was not sent by the dashboard itself. Nothing was changed.");
  };
}
