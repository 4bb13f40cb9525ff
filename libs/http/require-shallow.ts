// Bounds how deep a body is nested, so that later checks can recurse safely.
import { AppError } from "#kernel/app-error.ts";
import { JSON_DEPTH_MAX } from "#domain/bounds.ts";

/** Throws AppError `invalid_request` for a JSON value of more than JSON_DEPTH_MAX levels. */
export function requireShallow(value: unknown): void {
  if (!depthExceeds(value, JSON_DEPTH_MAX)) return;
  throw new AppError(
    "invalid_request",
    `The request body is nested deeper than ${JSON_DEPTH_MAX} levels. Nothing was applied.`,
  );
}

function depthExceeds(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  // A body may contain 100,000 numbers: only objects and arrays are inspected.
  return inner.some((one) => typeof one === "object" && depthExceeds(one, levels - 1));
}
