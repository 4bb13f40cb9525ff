// Every error answer: RFC 9457 with a stable `code`; `type` leads to the code's own section of docs/errors.md (CONTRACT 5).
import { z } from "zod";
import { errorCodes, type ErrorCode } from "#domain/error-code.ts";

export const PROBLEM_MEDIA_TYPE = "application/problem+json";
/** The page is served by the API itself, so that the link works wherever it runs. */
export const ERRORS_PAGE_PATH = "/docs/errors.md";

export const Problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(errorCodes),
    detail: z.string(),
    requestId: z.string(),
    errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })).exactOptional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

export function problemType(code: ErrorCode): string {
  return `${ERRORS_PAGE_PATH}#${code}`;
}
