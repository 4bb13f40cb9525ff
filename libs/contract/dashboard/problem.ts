// Error responses of the dashboard's endpoints: the form of the public API (RFC 9457), with additional codes.
import { z } from "zod";

/** Maps each code to its status. */
export const dashboardProblems = {
  invalid_json: { status: 400, title: "The body is not JSON" },
  invalid_request: { status: 400, title: "The request is not valid" },
  signed_out: { status: 401, title: "You are not signed in" },
  sign_in_failed: { status: 401, title: "Sign-in failed" },
  forbidden: { status: 403, title: "Your account may not do this" },
  /** Of a moderator: too much at a time, or in a day. */
  budget_exceeded: { status: 403, title: "Moderators may not give or take so much XP" },
  sign_in_again: { status: 403, title: "This change needs a recent sign-in" },
  cross_origin: { status: 403, title: "The request comes from another site" },
  not_found: { status: 404, title: "Not found" },
  period_not_found: { status: 404, title: "There is no such period" },
  destination_not_found: { status: 404, title: "There is no such destination" },
  link_invalid: { status: 404, title: "The link is not valid" },
  conflict: { status: 409, title: "The change conflicts with the present state" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  wrong_host: { status: 421, title: "The host is not the dashboard's" },
  rate_limited: { status: 429, title: "Too many attempts" },
  internal: { status: 500, title: "Unexpected error" },
  unavailable: { status: 503, title: "The database is unavailable" },
  provider_unavailable: { status: 503, title: "The identity provider is unavailable" },
  no_notifier: { status: 503, title: "No notifier answered" },
  busy: { status: 503, title: "The service is busy" },
  outcome_unknown: { status: 503, title: "The outcome is unknown" },
} as const satisfies Record<string, { status: number; title: string }>;

export type DashboardCode = keyof typeof dashboardProblems;

export const DashboardProblem = z.object({
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});
export type DashboardProblem = z.infer<typeof DashboardProblem>;
