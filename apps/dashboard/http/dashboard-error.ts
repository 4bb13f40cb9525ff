// An error response of the dashboard. Errors of the use cases (AppError) are mapped where responses are created.
import type { Fault } from "#kernel/app-error.ts";
import type { DashboardCode } from "#contract/dashboard/problem.ts";

export class DashboardError extends Error {
  readonly code: DashboardCode;
  readonly faults: readonly Fault[];
  readonly retryAfterS: number | null;

  constructor(
    code: DashboardCode,
    detail: string,
    options: { faults?: readonly Fault[]; retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(detail, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "DashboardError";
    this.code = code;
    this.faults = options.faults ?? [];
    this.retryAfterS = options.retryAfterS ?? null;
  }
}
