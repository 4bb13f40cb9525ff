// The one error of this package. It never contains the API key: what fetch reports is reduced to a text, and kept
// without its cause.
import type { ClanXpErrorCode } from "./types.ts";

export type ErrorDetails = {
  status?: number;
  requestId?: string;
  retryable?: boolean;
  errors?: { pointer: string; detail: string }[];
  idempotencyKey?: string;
  attempts?: number;
};

export class ClanXpError extends Error {
  static {
    this.prototype.name = "ClanXpError";
  }

  readonly code: ClanXpErrorCode;
  /** The HTTP status, where there was an answer. */
  declare readonly status?: number;
  /** The service's name for its answer: quote it to the operator. */
  declare readonly requestId?: string;
  /** The same, sent again under the same key, may succeed. */
  declare readonly retryable: boolean;
  /** What is wrong with the request, each fault by its JSON pointer. */
  declare readonly errors?: { pointer: string; detail: string }[];
  declare readonly idempotencyKey?: string;
  /** How many times it was sent. */
  declare readonly attempts: number;

  constructor(code: ClanXpErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    Object.assign(this, { retryable: false, attempts: 0 }, details);
  }
}
