// Logs requests that were rejected because of their key (401, 403, 429), by key.
import type { ErrorCode } from "#domain/error-code.ts";
import { makeRejectionLines, type RejectionLines } from "#runtime/process/rejection-lines.ts";
import type { Log } from "#runtime/ports.ts";

export type Rejection = {
  code: ErrorCode;
  /**
   * The id in the key's text. With `key_invalid` nobody has presented its secret. Null for no key, or text that is not
   * a key.
   */
  keyId: string | null;
  /** The key's clan; if the key is unknown, the clan in the path. Null for text that is not a clan id. */
  clanId: string | null;
  address: string | null;
  requestId: string;
};
export type RejectionLog = RejectionLines<Rejection>;

export function makeRejectionLog(log: Log): RejectionLog {
  return makeRejectionLines(log, ({ code, keyId, address }) => ({
    sender: keyId ?? address,
    isAuthenticated: code !== "key_missing" && code !== "key_invalid",
  }));
}
