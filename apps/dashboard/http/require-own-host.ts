// Rejects requests for any host name but the dashboard's own. An attacker can let the name of another site resolve to
// this address (DNS rebinding). The browser would then treat the attacker's pages as pages of the dashboard.
import { isIP } from "node:net";
import type { RequestHandler } from "express";
import { DashboardError } from "./dashboard-error.ts";

const DETAIL =
  "The dashboard is not served under this name. Nothing was changed. Operator: set DASHBOARD_URL to the address that people type.";

/**
 * Besides the name in `ownOrigin`, IP addresses and localhost are accepted, because nobody else can change what they
 * resolve to.
 */
export function requireOwnHost(ownOrigin: string | null): RequestHandler {
  const own = ownOrigin === null ? null : new URL(ownOrigin);
  return (req, _res, next) => {
    const host = req.get("host") ?? "";
    const url = /^[\w.:[\]-]+$/.test(host) ? URL.parse(`${own?.protocol ?? "http:"}//${host}`) : null;
    if (url && (url.host === own?.host || isFixed(url.hostname))) return next();
    throw new DashboardError("wrong_host", DETAIL);
  };
}

function isFixed(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || isIP(hostname.replaceAll(/^\[|\]$/g, "")) !== 0;
}
