// Where people see the dashboard: as configured, else as the request's Host says it, which a browser cannot be made to forge.
import type { Request } from "express";

export function ownOriginOf(req: Request, configured: string | null): string {
  return configured ?? `${req.protocol}://${req.get("host")}`;
}
