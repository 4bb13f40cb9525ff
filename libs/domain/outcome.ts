// The outcome of an award, and the result that its caller receives.
import type { AppError } from "#kernel/app-error.ts";
import type { Entry } from "#domain/entry.ts";
import type { EntryFailureCode, EntryRejectionCode } from "#kernel/error-code.ts";

export type Rejection = "member_not_found" | "idempotency_key_reused";

export type Outcome =
  | { kind: "applied"; entry: Entry }
  | { kind: "replayed"; entry: Entry }
  | { kind: "rejected"; code: Rejection };

/** The outcome of one award of several. `failed`: not settled, and to be sent again. */
export type AwardResult =
  | { kind: "applied" | "replayed"; entry: Entry }
  | { kind: "rejected"; code: EntryRejectionCode; detail: string }
  | { kind: "failed"; code: EntryFailureCode; error: AppError };
