// The response to every error (RFC 9457).
import type { Fault } from "#kernel/app-error.ts";
import { PROBLEM_MEDIA_TYPE } from "#contract/problem.ts";

/** An error that the caller may see. `retryAfterS`: when a retry may succeed, if that is known. */
type PublicError<Code extends string> = {
  code: Code;
  message: string;
  faults: readonly Fault[];
  retryAfterS?: number | null;
};

/** A restart or an election of MongoDB takes about as long. */
const RETRY_AFTER_S = 1;

export function problemOf<Code extends string>(
  { code, message, faults, retryAfterS = null }: PublicError<Code>,
  { type, title, status }: { type: string; title: string; status: number },
  requestId: string,
) {
  const afterS = retryAfterS ?? (status === 503 ? RETRY_AFTER_S : null);
  const errors = faults.length > 0 ? { errors: [...faults] } : {};
  return {
    status,
    contentType: PROBLEM_MEDIA_TYPE,
    headers: afterS === null ? {} : { "retry-after": String(afterS) },
    body: { type, title, status, code, detail: message, requestId, ...errors },
  };
}
