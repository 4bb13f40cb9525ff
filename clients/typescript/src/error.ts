// The one error class of this package. It never contains the API key: what fetch reports is reduced to a text, and
// stored without its cause.
import type { ClanXpErrorCode } from "./error-code.ts";

export type Fault = { pointer: string; detail: string };

export type ErrorDetails = {
  status?: number;
  requestId?: string;
  retryable?: boolean;
  errors?: Fault[];
  idempotencyKey?: string;
  attempts?: number;
};

export class ClanXpError extends Error {
  static {
    this.prototype.name = "ClanXpError";
    // The build shortens the names of classes, which inspections show.
    Object.defineProperty(this, "name", { value: "ClanXpError" });
  }

  readonly code: ClanXpErrorCode;
  /** The HTTP status, if there was a response. */
  declare readonly status?: number;
  /** The service's id of its response: include it when you contact the operator. */
  declare readonly requestId?: string;
  /** The same request under the same key may succeed later. */
  declare readonly retryable: boolean;
  /** The faults of the request, each with its JSON pointer. */
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
