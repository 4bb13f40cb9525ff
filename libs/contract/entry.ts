// A ledger entry as it is answered.
import { z } from "zod";
import { AwardSource } from "#contract/award.ts";
import { Instant, XpText } from "#contract/text.ts";

export const EntryAnswer = z
  .strictObject({
    awardId: z.string(),
    /** What the entry is where it is no award. */
    kind: z.enum(["membership", "appointment"]).exactOptional(),
    at: Instant,
    amount: XpText,
    applied: XpText,
    xp: XpText,
    rank: z.string(),
    reason: z.string().exactOptional(),
    source: AwardSource.exactOptional(),
    keyId: z.string(),
    batchId: z.string().exactOptional(),
    membershipCreated: z.boolean(),
  })
  .meta({ id: "Entry" });
export type EntryAnswer = z.infer<typeof EntryAnswer>;
