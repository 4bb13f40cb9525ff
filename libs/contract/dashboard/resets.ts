// The clan's resets: previewed, submitted, listed, cancelled, undone.
import { z } from "zod";
import { REASON_CHARS_MAX } from "#domain/bounds.ts";
import { isWithinReach, RESET_DAYS_MAX } from "#domain/reset.ts";
import { ClanParams, endpoint, NoBody, NoQuery } from "#contract/dashboard/endpoint.ts";
import { ResetResponse } from "#contract/reset.ts";
import { ReversalAccepted, ReversalPreview } from "#contract/reversal.ts";
import { Instant, textOf } from "#contract/text.ts";

const NOT_PERCENT = { error: "must be a whole number from 0 to 100" };
const keepPercent = z.int(NOT_PERCENT).min(0, NOT_PERCENT).max(100, NOT_PERCENT);
const keepText = z
  .string()
  .regex(/^\d{1,3}$/, NOT_PERCENT)
  .refine((text) => Number(text) <= 100, NOT_PERCENT);
const OUT_OF_REACH = { path: ["at"], error: `must be at most ${RESET_DAYS_MAX} days ahead or back` };

function isReachable({ at }: { at?: string | null | undefined }): boolean {
  return typeof at !== "string" || isWithinReach(new Date(at), new Date());
}

/** `at` null: now. */
export const ResetRequest = z
  .strictObject({ at: Instant.nullable(), keepPercent, reason: textOf(REASON_CHARS_MAX).nullable() })
  .refine(isReachable, OUT_OF_REACH);
export type ResetRequest = z.infer<typeof ResetRequest>;

/** What a reset would take if it ran now: from how many members, and how much. */
const ResetPreview = ReversalPreview.omit({ awards: true });

const path = "/api/clans/{clanId}/resets";
const ResetParams = ClanParams.extend({ resetId: z.string() });

export const resetEndpoints = {
  "list-resets": endpoint({
    method: "GET",
    path,
    access: "viewer",
    params: ClanParams,
    query: NoQuery,
    body: NoBody,
    response: z.strictObject({ resets: z.array(ResetResponse) }),
  }),
  "preview-reset": endpoint({
    method: "GET",
    path: `${path}/preview`,
    access: "owner",
    params: ClanParams,
    query: z.strictObject({ at: Instant.optional(), keepPercent: keepText }).refine(isReachable, OUT_OF_REACH),
    body: NoBody,
    response: ResetPreview,
  }),
  "submit-reset": endpoint({
    method: "POST",
    path,
    access: "owner",
    params: ClanParams,
    query: NoQuery,
    body: ResetRequest,
    response: ResetResponse,
  }),
  "cancel-reset": endpoint({
    method: "POST",
    path: `${path}/{resetId}/cancel`,
    access: "owner",
    params: ResetParams,
    query: NoQuery,
    body: NoBody,
    response: ResetResponse,
  }),
  /** What undoing it would give back: the members who have not got it back yet. */
  "preview-undo-reset": endpoint({
    method: "GET",
    path: `${path}/{resetId}/reversal`,
    access: "owner",
    params: ResetParams,
    query: NoQuery,
    body: NoBody,
    response: ReversalPreview,
  }),
  "undo-reset": endpoint({
    method: "POST",
    path: `${path}/{resetId}/reversal`,
    access: "owner",
    params: ResetParams,
    query: NoQuery,
    body: NoBody,
    response: ReversalAccepted,
  }),
};
