// The sentences that explain to the caller why the committer rejected an award.
import type { Rejection } from "#domain/outcome.ts";

export const rejectionDetail = {
  member_not_found:
    "The player is not a member of the clan, and the clan is not an Auto Clan. Nothing was applied. Add the membership first.",
  idempotency_key_reused:
    "This idempotency key was used for another award of this member. Nothing was applied. If this is a retry, send it unchanged. Use another key only for another award.",
} as const satisfies Record<Rejection, string>;
