// The parts of the Prefer header (RFC 7240) that a batch supports: `wait=N` in seconds and `respond-async`. Unknown
// preferences are ignored, as the RFC requires.
import { z } from "zod";

export const Prefer = z
  .string()
  .meta({ description: "`wait=N` seconds for the result, at most 30, or `respond-async` (RFC 7240)." });

/** How long the caller prefers to wait; `respond-async` alone means not at all. */
export function preferredWaitMs(header: string | undefined, bounds: { defaultMs: number; maxMs: number }): number {
  let waitMs: number | null = null;
  let respondAsync = false;
  for (const preference of (header ?? "").split(",")) {
    const [token = "", value = ""] = (preference.split(";")[0] ?? "").split("=").map((part) => part.trim());
    if (token.toLowerCase() === "respond-async") respondAsync = true;
    const seconds = /^"?(\d+)"?$/.exec(value)?.[1];
    // The first one counts (RFC 7240 2).
    if (token.toLowerCase() === "wait" && seconds !== undefined)
      waitMs ??= Math.min(Number(seconds) * 1_000, bounds.maxMs);
  }
  return waitMs ?? (respondAsync ? 0 : bounds.defaultMs);
}
