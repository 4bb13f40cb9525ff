// A ledger entry in responses.
import { z } from "zod";
import { changeKinds } from "#domain/award.ts";
import { AwardBoost, AwardSource, LimitedBy } from "#contract/award.ts";
import { Instant, XpText } from "#contract/text.ts";

export const EntryResponse = z
  .strictObject({
    awardId: z.string(),
    /** The kind of an entry that is not an award. */
    kind: z.enum(changeKinds).exactOptional(),
    /** Only for a reversal: the award that it takes back. */
    reverses: z.string().exactOptional(),
    /** Only for what a reset took: the reset. */
    resetId: z.string().exactOptional(),
    /** Only for an award, or for what a reset took: the entry that reversed it. */
    reversedBy: z.string().exactOptional(),
    at: Instant,
    amount: XpText,
    applied: XpText,
    /** Only if a boost raised the amount. */
    boost: AwardBoost.exactOptional(),
    limitedBy: LimitedBy,
    xp: XpText,
    rank: z.string(),
    reason: z.string().exactOptional(),
    source: AwardSource.exactOptional(),
    keyId: z.string(),
    /** The person who made the change, if no API key did. */
    actor: z.string().exactOptional(),
    batchId: z.string().exactOptional(),
    membershipCreated: z.boolean(),
  })
  .meta({ id: "Entry" });
export type EntryResponse = z.infer<typeof EntryResponse>;
