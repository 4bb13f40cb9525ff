// The one error class. An expected rejection is a value (see Outcome); this is thrown for everything else.
import type { ErrorCode } from "#kernel/error-code.ts";

/** One fault in a request body: `pointer` is an RFC 6901 JSON pointer, `detail` a sentence. */
export type Fault = { pointer: string; detail: string };

/** An error with its stable code. `detail` is returned to the caller, `cause` is only logged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly faults: readonly Fault[];

  constructor(code: ErrorCode, detail: string, options: { cause?: unknown; faults?: readonly Fault[] } = {}) {
    super(detail, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "AppError";
    this.code = code;
    this.faults = options.faults ?? [];
  }
}
