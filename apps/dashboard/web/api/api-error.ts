// What an endpoint answered instead of what was wanted, as pages show it.
import { DashboardProblem } from "#contract/dashboard/problem.ts";

type Facts = { code: string; detail: string; requestId: string | null; faults?: readonly { pointer: string; detail: string }[] };

export class ApiError extends Error {
  readonly code: string;
  readonly requestId: string | null;
  readonly faults: readonly { pointer: string; detail: string }[];

  constructor({ code, detail, requestId, faults = [] }: Facts) {
    super(detail);
    this.name = "ApiError";
    this.code = code;
    this.requestId = requestId;
    this.faults = faults;
  }

  static of(status: number, body: unknown): ApiError {
    const problem = DashboardProblem.safeParse(body);
    if (problem.success) return new ApiError({ ...problem.data, faults: problem.data.errors ?? [] });
    return new ApiError({ code: "unexpected", detail: `The server answered ${status} without an explanation.`, requestId: null });
  }
}
