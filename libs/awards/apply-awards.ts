// Applies several awards in one call (docs/reference/api/awards.md#apply-several-awards). Each award succeeds or fails alone,
// as if it had been sent alone. Only two errors reject the whole call: an amount beyond the clan's bound, and an
// exceeded rate.
import { AppError, type Fault } from "#kernel/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { AwardResult } from "#domain/outcome.ts";
import { isEntryFailure } from "#kernel/error-code.ts";
import { amountFault, lacksDeduct, LACKS_DEDUCT } from "#domain/amount-rules.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { CallerAward, ReadCallerAward } from "#awards/caller-award.ts";
import type { BudgetRejection, ClaimAwards, ClaimedAwards } from "#awards/claim-awards.ts";
import { clanOf, type ClanRules } from "#clans/clan-rules.ts";
import type { FindReplays } from "#awards/find-replays.ts";
import type { Principal } from "#domain/key.ts";
import type { Meter } from "#telemetry/meter.ts";
import { rejectionDetail } from "#awards/rejection-detail.ts";

export type ApplyAwardsRequest = {
  principal: Principal;
  awards: readonly CallerAward[];
  /**
   * Counts the awards against the caller's rate, once they are known to be valid. May throw; then nothing was applied.
   */
  spendAwards: (awards: number) => Promise<void>;
};

/**
 * `results[i]` answers `awards[i]`. Awards of one member are applied in order. Throws AppError before anything is
 * applied: `invalid_request` (amounts beyond the clan's bound), `rate_limited`, `unavailable`. If every award failed,
 * throws the first failure.
 */
export type ApplyAwards = (request: ApplyAwardsRequest) => Promise<AwardResult[]>;

type Replays = ReadonlyMap<Award, Entry>;

const UNKNOWN_AMONG_ALL =
  "It is not known whether any award of this request was applied. Send the request again with the same idempotency keys.";

export function makeApplyAwards(deps: {
  committer: Pick<Ledger, "submit">;
  findReplays: FindReplays;
  /** Called once for each call, so that batches yield to it. */
  claimPriority: () => void;
  rules: ClanRules;
  readCallerAward: ReadCallerAward;
  claimAwards: ClaimAwards;
  meter: Meter;
}): ApplyAwards {
  const { committer, findReplays, meter } = deps;

  return async function applyAwards({ principal, awards: sent, spendAwards }) {
    const clan = await clanOf(deps.rules, principal.clanId);
    const awards = sent.map((award) => deps.readCallerAward(award, principal));
    const outOfBounds = sent.map(({ amount }) => amountFault(amount, clan));
    const cannotDeduct = sent.map(({ amount }) => lacksDeduct(amount, principal.scopes));

    const rejectable = awards.filter((_, index) => outOfBounds[index] !== null || cannotDeduct[index]);
    let replays = await findReplays(rejectable);
    requireInBounds(meter, awards, outOfBounds, replays);
    try {
      await spendAwards(awards.length);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      replays = await spendFresh(findReplays, awards, { spendAwards, error });
    }

    const claim = await deps.claimAwards(
      principal,
      awards,
      (index) => !cannotDeduct[index] && !isReplayed(awards[index], replays),
    );
    replays = new Map([...replays, ...(claim?.replays ?? [])]);

    deps.claimPriority();
    const isDeferred = deferred(awards, (index) => Boolean(claim?.rejections[index]));
    // All are submitted in one turn of the event loop: they are committed together, those of one member in order.
    const settled = await Promise.all(
      awards.map(async (award, index) => {
        const entry = replays.get(award);
        if (entry) return replayed(entry);
        if (cannotDeduct[index]) return rejected("scope_missing", LACKS_DEDUCT);
        return isDeferred[index] ? null : submitOne(committer, award, claim?.commitMs());
      }),
    );
    const results = claim
      ? await settleBudget({ committer, awards, settled, claim, rejectedResult })
      : settled.filter((result) => result !== null);
    const failures = results.filter((result) => result.kind === "failed");
    if (failures[0] && failures.length === results.length) throw failureOfAll(failures[0], failures);
    return results;
  };

  function replayed(entry: Entry): AwardResult {
    meter.settled([{ outcome: { kind: "replayed", entry } }]);
    return { kind: "replayed", entry };
  }

  function rejected(code: "scope_missing" | "budget_exceeded", detail: string): AwardResult {
    meter.rejected(code);
    return { kind: "rejected", code, detail };
  }

  function rejectedResult(rejection: BudgetRejection | null | undefined): AwardResult {
    const { code, detail } = rejection ?? { code: "busy", detail: "The award was not applied. Send it again." };
    if (code === "budget_exceeded") return rejected(code, detail);
    return { kind: "failed", code, error: new AppError(code, detail) };
  }
}

function requireInBounds(
  meter: Meter,
  awards: readonly Award[],
  outOfBounds: readonly (string | null)[],
  replays: Replays,
): void {
  const faults = awards.flatMap((award, index): Fault[] => {
    const detail = outOfBounds[index];
    return detail && !replays.has(award) ? [{ pointer: `/awards/${index}/amount`, detail }] : [];
  });
  const [first] = faults;
  if (!first) return;
  for (const _ of faults) meter.rejected("invalid_request");
  throw new AppError(
    "invalid_request",
    `The request body is not valid: ${first.pointer} is out of bounds. ${first.detail} Nothing was applied.`,
    { faults },
  );
}

/** Awards that were applied before cost nothing, so only the others must fit into the rest of the rate. */
async function spendFresh(
  findReplays: FindReplays,
  awards: readonly Award[],
  { spendAwards, error }: { spendAwards: ApplyAwardsRequest["spendAwards"]; error: AppError },
): Promise<Replays> {
  const replays = await findReplays(awards);
  if (replays.size === 0) throw error;
  if (replays.size < awards.length) await spendAwards(awards.length - replays.size);
  return replays;
}

/**
 * Awards that exceed the budget may still be applied if XP of rejected awards is refunded. Until that is decided,
 * later awards of the same member wait, because a member's awards are applied in order.
 */
function deferred(awards: readonly Award[], isBeyond: (index: number) => boolean): boolean[] {
  const members = new Set<string>();
  return awards.map(({ platformId }, index) => {
    if (isBeyond(index)) members.add(platformId);
    return members.has(platformId);
  });
}

/**
 * Gives back the XP of awards that were not applied, and then tries the awards that exceeded the day's budget again, as
 * long as both exist. Each round settles at least one award.
 */
async function settleBudget({
  committer,
  awards,
  settled,
  claim,
  rejectedResult,
}: {
  committer: Pick<Ledger, "submit">;
  rejectedResult: (rejection: BudgetRejection | null | undefined) => AwardResult;
  awards: readonly Award[];
  /** Null for an award that waits for an earlier one of its member. */
  settled: readonly (AwardResult | null)[];
  claim: ClaimedAwards;
}): Promise<AwardResult[]> {
  const results = [...settled];
  const isBeyond = (index: number): boolean => results[index] === null && Boolean(claim.rejections[index]);
  const refund = (): Promise<boolean> =>
    claim.refund(results.flatMap((result, index) => ((result ? mayCount(result) : !isBeyond(index)) ? [] : [index])));
  for (;;) {
    const isBudgetFreed = await refund();
    if (isBudgetFreed && [...results.keys()].some(isBeyond)) {
      const claimed = await claimAgain(claim);
      if (claimed instanceof AppError) {
        // The other awards may have been applied.
        for (const [index, result] of results.entries()) results[index] = result ?? failureOf(claimed);
        await refund();
        break;
      }
    }
    const within = [...results.keys()].filter((index) => results[index] === null && !isBeyond(index));
    if (within.length === 0) break;
    const isDeferred = deferred(awards, isBeyond);
    let ready = within.filter((index) => !isDeferred[index]);
    if (ready.length === 0) {
      // No XP was refunded, so the awards that they wait for stay beyond the budget.
      const members = new Set(within.map((index) => awards[index]?.platformId));
      for (const [index, { platformId }] of awards.entries())
        if (isBeyond(index) && members.has(platformId)) results[index] = rejectedResult(claim.rejections[index]);
      ready = within;
    }
    const submitted = ready.map(async (index): Promise<void> => {
      const award = awards[index];
      if (award) results[index] = await submitOne(committer, award, claim.commitMs());
    });
    await Promise.all(submitted);
  }
  return results.map((result, index) => result ?? rejectedResult(claim.rejections[index]));
}

async function claimAgain(claim: ClaimedAwards): Promise<number[] | AppError> {
  try {
    return await claim.claimAgain();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

async function submitOne(
  committer: Pick<Ledger, "submit">,
  award: Award,
  withinMs = AWARD_DEADLINE_MS,
): Promise<AwardResult> {
  try {
    const outcome = await committer.submit(award, withinMs);
    return outcome.kind === "rejected" ? { ...outcome, detail: rejectionDetail[outcome.code] } : outcome;
  } catch (error) {
    return failureOf(error);
  }
}

function isReplayed(award: Award | undefined, replays: Replays): boolean {
  return award !== undefined && replays.has(award);
}

/** The award was applied now, or its outcome is unknown. */
function mayCount(result: AwardResult): boolean {
  return result.kind === "applied" || (result.kind === "failed" && result.code === "outcome_unknown");
}

type Failure = Extract<AwardResult, { kind: "failed" }>;

/** The first failure, unless it says that nothing was applied although the outcome of another award is unknown. */
function failureOfAll({ code, error }: Failure, failures: readonly Failure[]): AppError {
  const isKnown = failures.every((failure) => failure.code !== "outcome_unknown");
  return isKnown || code === "outcome_unknown" ? error : new AppError(code, UNKNOWN_AMONG_ALL, { cause: error });
}

/** `internal` becomes `unavailable`: the caller of several awards cannot act on the difference. */
function failureOf(error: unknown): AwardResult {
  if (!(error instanceof AppError)) throw error;
  if (isEntryFailure(error.code)) return { kind: "failed", code: error.code, error };
  return { kind: "failed", code: "unavailable", error: new AppError("unavailable", error.message, { cause: error }) };
}
