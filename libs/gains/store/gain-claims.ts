// Which process may count gains in a clan: one at a time. A claim expires, because a process may crash.
import type { Database } from "#mongo/database.ts";
import { GAIN_CLAIM_MS } from "#mongo/bounds.ts";
import type { GainDoc } from "#gains/store/gain-model.ts";
import { rewrite } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { GainClaims } from "#gains/ports.ts";

export function makeGainClaims({ db }: Pick<Database, "db">): GainClaims {
  const gains = () => db().collection<GainDoc>("gains");
  return {
    claim: (clanId, holder) =>
      rewrite(async () => {
        const until = { $add: ["$$NOW", GAIN_CLAIM_MS] };
        const isFree = { $or: [{ $eq: ["$holder", holder] }, { $lt: ["$claimedUntil", "$$NOW"] }] };
        const claimed = { _id: "$_id", clanId, holder, claimedUntil: until, expiresAt: until };
        const update = [{ $replaceWith: { $cond: [isFree, claimed, "$$ROOT"] } }];
        const options = { upsert: true, returnDocument: "after" } as const;
        try {
          return (await gains().findOneAndUpdate({ _id: claimId(clanId) }, update, options))?.holder === holder;
        } catch (error) {
          // Another process has just made the first claim in this clan.
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    release: (clanId, holder) =>
      rewrite(async () => {
        await gains().updateOne({ _id: claimId(clanId), holder }, { $set: { claimedUntil: new Date(0) } });
      }),
  };
}

function claimId(clanId: string): string {
  return `claim/${clanId}`;
}
