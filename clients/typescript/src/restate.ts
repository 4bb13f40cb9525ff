// The same error for one call or one award, with its own key and number of attempts.
import { ClanXpError, type ErrorDetails } from "./error.ts";

export function restate(error: ClanXpError, details: ErrorDetails): ClanXpError {
  return new ClanXpError(error.code, error.message, Object.assign({}, error, details));
}
