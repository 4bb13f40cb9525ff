// Which process may count gains in a clan: one at a time. A claim expires, because a process may crash.
import type { Database } from "#store/database.ts";
import { GAIN_CLAIM_MS } from "#store/bounds.ts";
import type { GainDoc } from "#store/gains/gain-model.ts";
import { rewrite } from "#store/mongo-calls.ts";
import { isDuplicateKey } from "#store/mongo-errors.ts";
import { mongoTimeAgo } from "#store/mongo-time.ts";
import type { GainClaims } from "#usecases/gains/ports.ts";

const DURABLE = { writeConcern: { w: "majority" } } as const;

export function makeGainClaims({ db }: Pick<Database, "db">): GainClaims {
  const gains = () => db().collection<GainDoc>("gains");
  return {
    claim: (clanId, holder) =>
      rewrite(async () => {
        const at = await mongoTimeAgo({ db }, 0);
        const free = { $or: [{ holder }, { claimedUntil: { $lt: at } }] };
        const claimedUntil = new Date(at.getTime() + GAIN_CLAIM_MS);
        const claimed = { clanId, holder, claimedUntil, expiresAt: claimedUntil };
        try {
          await gains().updateOne({ _id: claimId(clanId), ...free }, { $set: claimed }, { upsert: true, ...DURABLE });
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }),

    release: (clanId, holder) =>
      rewrite(async () => {
        await gains().updateOne({ _id: claimId(clanId), holder }, { $set: { claimedUntil: new Date(0) } }, DURABLE);
      }),
  };
}

function claimId(clanId: string): string {
  return `claim/${clanId}`;
}
