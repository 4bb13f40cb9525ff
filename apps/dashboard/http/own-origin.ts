// Where people see the dashboard: as configured; else as the request's Host says it, which was checked and which a
// browser cannot be made to forge. By its address or as localhost the dashboard can also be reached past the configured
// name.
import type { Request } from "express";

export function ownOriginOf(req: Request, configured: string | null): string {
  const host = req.get("host");
  const isConfigured = configured !== null && (req.get("origin") === configured || host === new URL(configured).host);
  return isConfigured ? configured : `${req.secure ? "https" : "http"}://${host}`;
}
