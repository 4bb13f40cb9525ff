// A reset as the CLI and the dashboard show it.
import { z } from "zod";
import { resetStates } from "#domain/reset.ts";
import { Instant } from "#contract/text.ts";

/** `members`: those who have lost XP. `amount`: what was taken in all; possibly more than 64 bits. */
export const ResetResponse = z.strictObject({
  resetId: z.string(),
  clanId: z.string(),
  status: z.enum(resetStates),
  at: Instant,
  keepPercent: z.int(),
  members: z.int(),
  amount: z.string(),
  reason: z.string().nullable(),
  createdBy: z.string().nullable(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
});
export type ResetResponse = z.infer<typeof ResetResponse>;
