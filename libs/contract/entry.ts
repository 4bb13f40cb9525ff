// A ledger entry as it is answered.
import { z } from "zod";
import { changeKinds } from "#domain/award.ts";
import { AwardSource } from "#contract/award.ts";
import { Instant, XpText } from "#contract/text.ts";

export const EntryAnswer = z
  .strictObject({
    awardId: z.string(),
    /** What the entry is where it is no award. */
    kind: z.enum(changeKinds).exactOptional(),
    /** Of a reversal: the award that it takes back. */
    reverses: z.string().exactOptional(),
    /** Of an award: the entry that took it back. */
    reversedBy: z.string().exactOptional(),
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
