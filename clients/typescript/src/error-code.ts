// Every code of an error that this package throws: those of the API, and its own.
import type { ErrorCode } from "./wire.ts";

export type ClanXpErrorCode =
  | ErrorCode
  /** No complete response in time. */
  | "timeout"
  /** No response, or an incomplete one. */
  | "connection"
  /** A response that is neither a result nor a problem document. */
  | "unexpected_answer"
  | "aborted"
  | "invalid_argument"
  | "queue_full"
  | "queue_closed";
