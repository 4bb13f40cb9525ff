// The origin at which people see the dashboard: the configured one, otherwise that of the request's Host, which was
// checked and which a browser cannot be made to forge. The dashboard can also be reached by its IP address or as
// localhost, in addition to the configured name.
import type { Request } from "express";

export function ownOriginOf(req: Request, configured: string | null): string {
  const host = req.get("host");
  const isConfigured = configured !== null && (req.get("origin") === configured || host === new URL(configured).host);
  return isConfigured ? configured : `${req.secure ? "https" : "http"}://${host}`;
}
