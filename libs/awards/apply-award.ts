// Applies one award to one member (docs/reference/api/awards.md#apply-an-award).
import { AppError } from "#kernel/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { amountFault, lacksDeduct, LACKS_DEDUCT } from "#domain/amount-rules.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { CallerAward, ReadCallerAward } from "#awards/caller-award.ts";
import type { ClaimAwards } from "#awards/claim-awards.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { FindReplays } from "#awards/find-replays.ts";
import type { Principal } from "#domain/key.ts";
import type { Meter } from "#telemetry/meter.ts";
import { rejectionDetail } from "#awards/rejection-detail.ts";
import { submitClaimed } from "#awards/submit-claimed.ts";

export type ApplyAwardRequest = {
  principal: Principal;
  award: CallerAward;
  /**
   * Counts the award against the caller's rate, once the award is known to be valid. May throw; then nothing was
   * applied.
   */
  spendAwards: (awards: number) => Promise<void>;
};

/**
 * The entry that is stored for this award, and whether it was stored before (`replayed`). Throws AppError
 * `invalid_request` (amount beyond the clan's bound), `rate_limited`, `scope_missing`, `budget_exceeded`,
 * `member_not_found`, `idempotency_key_reused`, `busy`, `unavailable`, `outcome_unknown`.
 */
export type ApplyAward = (request: ApplyAwardRequest) => Promise<{ entry: Entry; replayed: boolean }>;

export function makeApplyAward(deps: {
  committer: Pick<Ledger, "submit">;
  findReplays: FindReplays;
  /** Called for each award, so that batches yield to it. */
  claimPriority: () => void;
  rules: ClanRules;
  readCallerAward: ReadCallerAward;
  claimAwards: ClaimAwards;
  meter: Meter;
}): ApplyAward {
  return async function applyAward(request) {
    const award = deps.readCallerAward(request.award, request.principal);
    const rejection = await rejectionOf(request);
    if (rejection) {
      const entry = (await deps.findReplays([award])).get(award);
      if (entry) return replayed(entry);
      // Rejections by the rate are counted where the rate is checked.
      if (rejection.code !== "rate_limited") deps.meter.rejected(rejection.code);
      throw rejection;
    }
    const claim = await deps.claimAwards(request.principal, [award], () => true);
    const entry = claim?.replays.get(award);
    if (entry) return replayed(entry);
    const beyond = claim?.rejections[0];
    if (beyond?.code === "budget_exceeded") deps.meter.rejected(beyond.code);
    if (beyond) throw new AppError(beyond.code, beyond.detail);
    return claim ? submitClaimed(claim, (withinMs) => submit(award, withinMs)) : submit(award);
  };

  function replayed(entry: Entry): { entry: Entry; replayed: true } {
    deps.meter.settled([{ outcome: { kind: "replayed", entry } }]);
    return { entry, replayed: true };
  }

  /**
   * The reason why the clan's settings, the caller's rate or the key's scopes reject the award, in the documented order
   * (docs/reference/errors.md); null if they accept it.
   */
  async function rejectionOf({
    principal,
    award: { amount },
    spendAwards,
  }: ApplyAwardRequest): Promise<AppError | null> {
    const outOfBounds = amountFault(amount, await clanOf(deps.rules, principal.clanId));
    if (outOfBounds) return notInBounds(outOfBounds);
    try {
      await spendAwards(1);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    return lacksDeduct(amount, principal.scopes) ? new AppError("scope_missing", LACKS_DEDUCT) : null;
  }

  async function submit(award: Award, withinMs = AWARD_DEADLINE_MS): Promise<{ entry: Entry; replayed: boolean }> {
    deps.claimPriority();
    const outcome = await deps.committer.submit(award, withinMs);
    if (outcome.kind === "rejected") throw new AppError(outcome.code, rejectionDetail[outcome.code]);
    return { entry: outcome.entry, replayed: outcome.kind === "replayed" };
  }
}

function notInBounds(detail: string): AppError {
  return new AppError("invalid_request", `${detail} Nothing was applied.`, {
    faults: [{ pointer: "/amount", detail }],
  });
}
