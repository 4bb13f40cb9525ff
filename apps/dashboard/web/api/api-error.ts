// An error response of an endpoint, in the form that pages show.
import type { DashboardProblem } from "#contract/dashboard/problem.ts";

type Facts = {
  code: string;
  detail: string;
  requestId: string | null;
  faults?: readonly { pointer: string; detail: string }[];
};

export class ApiError extends Error {
  readonly code: string;
  /** For the operator, of an error that nobody expects. */
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
    // People need no id to look up what the text explains: a wrong password, a name that is taken.
    const isExpected = status < 500;
    if (isProblem(body))
      return new ApiError({ ...body, requestId: isExpected ? null : body.requestId, faults: body.errors ?? [] });
    return new ApiError({
      code: "unexpected",
      detail: `The server answered ${status}, but not in the form that this page expects.`,
      requestId: null,
    });
  }
}

/**
 * Without the schema, which the first screen does not load: a response of the dashboard's server has all fields, one of
 * a proxy has none.
 */
function isProblem(body: unknown): body is DashboardProblem {
  const parts: Partial<Record<keyof DashboardProblem, unknown>> = typeof body === "object" && body !== null ? body : {};
  return [parts.code, parts.detail, parts.requestId].every((part) => typeof part === "string");
}
