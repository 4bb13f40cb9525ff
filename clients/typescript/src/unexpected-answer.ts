// A 200 response without the required content: nothing of it is returned to the caller as a result.
import type { Answer } from "./attempt.ts";
import { ClanXpError, type ErrorDetails } from "./error.ts";

export function unexpectedAnswer(
  { headers, attempts = 1 }: Answer & { attempts?: number },
  missing: string,
  details: ErrorDetails = {},
): ClanXpError {
  const requestId = headers.get("request-id");
  return new ClanXpError("unexpected_answer", `The answer does not have ${missing}.`, {
    status: 200,
    attempts,
    ...(requestId && { requestId }),
    ...details,
  });
}
