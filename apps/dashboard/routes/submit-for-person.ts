// Submits a reversal for a person. A retry needs no idempotency key, because an award is reversed once, however often
// this is requested.
import { AppError } from "#kernel/app-error.ts";
import type { BoundReversal } from "#reversals/ports.ts";
import type { SubmitReversal, SubmitReversalRequest } from "#reversals/submit-reversal.ts";
import { DashboardError } from "../http/dashboard-error.ts";

/** The accepted reversal. `reason` is stored without leading and trailing spaces. */
export type SubmitForPerson = (request: Omit<SubmitReversalRequest, "idempotencyKey">) => Promise<BoundReversal>;

export function makeSubmitForPerson(submitReversal: SubmitReversal): SubmitForPerson {
  return async function submitForPerson({ reason, ...request }) {
    const given = reason?.trim() ?? "";
    try {
      return (await submitReversal({ ...request, reason: given === "" ? null : given, idempotencyKey: null })).reversal;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "outcome_unknown") throw error;
      const detail = "It is not known whether the reversal was accepted. Try again: an award is reversed once at most.";
      throw new DashboardError("outcome_unknown", detail, { cause: error });
    }
  };
}
