// Applies one award to one member (docs/reference/api.md#apply-an-award).
import { callerAwardKey, ownAwardKey } from "#domain/award-key.ts";
import { AppError } from "#domain/app-error.ts";
import type { AwardSource, Entry } from "#domain/award.ts";
import { amountFault, lacksDeduct, LACKS_DEDUCT } from "#usecases/amount-rules.ts";
import type { AwardCommitter } from "#usecases/award-committer.ts";
import { AWARD_DEADLINE_MS } from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clan-rules.ts";
import type { Principal } from "#usecases/key.ts";
import type { Digest, Ids, Meter } from "#usecases/ports.ts";

export type ApplyAwardRequest = {
  principal: Principal;
  platformId: string;
  amount: number;
  reason: string | undefined;
  source: AwardSource | undefined;
  idempotencyKey: string | null;
  /** Spends the caller's rate, once the award is known to be valid. May throw: then nothing was applied. */
  spendAwards: (awards: number) => Promise<void>;
};

/**
 * The entry that stands for this award now, and whether it stood before (`replayed`). Throws AppError `invalid_request` (amount past
 * the clan's bound), `scope_missing`, `member_not_found`, `idempotency_key_reused`, `busy`, `unavailable`, `outcome_unknown`.
 */
export type ApplyAward = (request: ApplyAwardRequest) => Promise<{ entry: Entry; replayed: boolean }>;

export function makeApplyAward(world: {
  committer: AwardCommitter;
  /** Called for each award: batches are to make way for it. */
  claimRightOfWay: () => void;
  rules: ClanRules;
  digest: Digest;
  ids: Pick<Ids, "award">;
  meter: Meter;
}): ApplyAward {
  return async function applyAward({ principal, platformId, amount, reason, source, idempotencyKey, spendAwards }) {
    const outOfBounds = amountFault(amount, await world.rules.get(principal.clanId));
    if (outOfBounds) {
      world.meter.rejected("invalid_request");
      throw new AppError("invalid_request", outOfBounds, { faults: [{ pointer: "/amount", detail: outOfBounds }] });
    }
    await spendAwards(1);
    if (lacksDeduct(amount, principal.scopes)) {
      world.meter.rejected("scope_missing");
      throw new AppError("scope_missing", LACKS_DEDUCT);
    }

    world.claimRightOfWay();
    const outcome = await world.committer.submit(
      {
        clanId: principal.clanId,
        platformId,
        amount: BigInt(amount),
        apiKeyId: principal.keyId,
        ...(idempotencyKey === null
          ? { key: ownAwardKey(world.ids.award()), fingerprint: "" }
          : { key: callerAwardKey(idempotencyKey), fingerprint: world.digest(payloadText(amount, reason, source)) }),
        ...(reason === undefined ? {} : { reason }),
        ...(source === undefined || Object.keys(source).length === 0 ? {} : { source }),
      },
      AWARD_DEADLINE_MS,
    );
    switch (outcome.kind) {
      case "applied":
        return { entry: outcome.entry, replayed: false };
      case "replayed":
        return { entry: outcome.entry, replayed: true };
      case "rejected":
        throw new AppError(outcome.code, refusalDetail[outcome.code]);
    }
  };
}

const refusalDetail = {
  member_not_found: "This player is no member of the clan, and the clan is not an Auto Clan. Nothing was kept: add the membership first.",
  idempotency_key_reused:
    "This Idempotency-Key already stands for another award of this member. Nothing was applied: send a new award under a new key.",
} as const;

/** What counts as the same payload: amount, reason and source; an empty source equals none (docs/concepts/retries-and-idempotency.md). */
function payloadText(amount: number, reason: string | undefined, source: AwardSource | undefined): string {
  return JSON.stringify([amount, reason ?? null, source?.placeId ?? null, source?.matchId ?? null, source?.verified ?? null]);
}
