// Converts an award as the caller sends it into one that the committer takes: derives the award's key and fingerprint
// from the caller's key and payload.
import { callerAwardKey, ownAwardKey } from "#domain/award-key.ts";
import type { Award, AwardSource } from "#domain/award.ts";
import type { Principal } from "#domain/key.ts";
import type { Digest } from "#kernel/digest.ts";
import type { Ids } from "#kernel/ids.ts";

export type CallerAward = {
  platformId: string;
  amount: number;
  reason?: string | undefined;
  source?: AwardSource | undefined;
  idempotencyKey?: string | undefined;
};

export type ReadCallerAward = (sent: CallerAward, principal: Principal) => Award;

export function makeReadCallerAward({ digest, ids }: { digest: Digest; ids: Pick<Ids, "award"> }): ReadCallerAward {
  return (sent, { clanId, keyId }) => {
    const { platformId, amount, reason, source, idempotencyKey } = sent;
    const isKeyed = idempotencyKey !== undefined;
    const award: Award = {
      clanId,
      platformId,
      amount: BigInt(amount),
      apiKeyId: keyId,
      key: isKeyed ? callerAwardKey(idempotencyKey) : ownAwardKey(ids.award()),
      fingerprint: isKeyed ? digest(payloadText(sent)) : "",
    };
    if (reason !== undefined) award.reason = reason;
    if (source !== undefined && Object.keys(source).length > 0) award.source = source;
    return award;
  };
}

/**
 * Defines which payloads are equal: the same amount, reason and source; an empty source equals no source. Stored
 * entries contain its digest, so this text must never change.
 */
function payloadText({ amount, reason, source }: CallerAward): string {
  return JSON.stringify([
    amount,
    reason ?? null,
    source?.placeId ?? null,
    source?.matchId ?? null,
    source?.verified ?? null,
  ]);
}
