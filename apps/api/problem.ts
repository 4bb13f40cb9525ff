// Creates every error response from its error.
import { AppError } from "#kernel/app-error.ts";
import { problems, problemType, type Problem } from "#contract/problem.ts";
import { problemOf } from "#http/problem.ts";
import type { HttpResponse } from "./http/response.ts";

/** An error that must list the supported methods (RFC 9110 15.5.6). */
export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(methods: readonly string[]) {
    const allow = methods.join(", ");
    super("method_not_allowed", `This path supports ${allow}.`);
    this.allow = allow;
  }
}

/** `docsUrl`: the origin of the documentation, empty if it is the API's own. */
export function problemResponse(
  error: AppError,
  { requestId, docsUrl }: { requestId: string; docsUrl: string },
): HttpResponse {
  const type = docsUrl + problemType(error.code);
  const problem = problemOf(error, { ...problems[error.code], type }, requestId);
  const body: Problem = problem.body;
  const headers = [
    ...Object.entries(problem.headers).flat(),
    // An API key would not help a caller whose signature is wrong.
    ...(problem.status === 401 && error.code !== "signature_invalid" ? ["www-authenticate", "Bearer"] : []),
    ...(error instanceof MethodNotAllowed ? ["allow", error.allow] : []),
  ];
  return { ...problem, body, headers };
}
