// Gives XP to a member, or takes XP from them, on behalf of a person: an award with an actor instead of an API key.
import { amountFault } from "#domain/amount-rules.ts";
import { AppError } from "#kernel/app-error.ts";
import type { Actor } from "#domain/audit.ts";
import { callerAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { ModeratorBounds } from "#domain/moderator.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { BudgetRejection, ClaimAwards } from "#awards/claim-awards.ts";
import type { FindReplays } from "#awards/find-replays.ts";
import { rejectionDetail } from "#awards/rejection-detail.ts";
import { submitClaimed } from "#awards/submit-claimed.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { ClanRules } from "#clans/clan-rules.ts";
import { moderatorBudget } from "#members/moderator-budget.ts";
import type { Digest } from "#kernel/digest.ts";

/** `changeId` is created once for each change: the same change under the same id counts once. */
export type XpChange = MemberRef & { amount: number; reason: string; changeId: string };

/**
 * The entry that is stored for this change. `bounds`: of a moderator; others have none. Throws AppError
 * `invalid_request` (beyond the clan's bound) and `budget_exceeded` (beyond `bounds`), unless the change was applied
 * before; `busy`; and as the committer does.
 */
export type ChangeXp = (change: XpChange, by: Actor, bounds?: ModeratorBounds | null) => Promise<Entry>;

type Submitted = { entry: Entry; replayed: boolean };
const IN_PROGRESS = "An earlier attempt at this change is still in progress. Try again shortly: it counts once.";

export function makeChangeXp(deps: {
  committer: Pick<Ledger, "submit">;
  findReplays: FindReplays;
  rules: ClanRules;
  digest: Digest;
  /** Counts what a moderator takes, too. */
  claimAwards: ClaimAwards;
}): ChangeXp {
  const { committer, findReplays, rules, digest, claimAwards } = deps;

  return async function changeXp({ clanId, platformId, amount, reason, changeId }, by, bounds = null) {
    const award: Award = {
      clanId,
      platformId,
      amount: BigInt(amount),
      key: callerAwardKey(`${by.via}/${changeId}`),
      fingerprint: digest(JSON.stringify([amount, reason])),
      ...(reason === "" ? {} : { reason }),
      apiKeyId: by.via,
      actor: by.actor,
    };
    const fault = amountFault(amount, await rules.get(clanId));
    if (fault) {
      const applied = (await findReplays([award])).get(award);
      if (applied) return applied;
      throw new AppError("invalid_request", fault, { faults: [{ pointer: "/amount", detail: fault }] });
    }
    return bounds === null ? (await submit(award)).entry : submitWithin(bounds, award, by.actor);
  };

  async function submitWithin(bounds: ModeratorBounds, award: Award, name: string): Promise<Entry> {
    const budget = moderatorBudget({ clanId: award.clanId, name }, bounds);
    const claim = await claimAwards(budget, [award], () => true);
    const applied = claim?.replays.get(award);
    if (applied) return applied;
    const rejection = claim?.rejections[0];
    if (rejection) throw errorOf(rejection);
    return (await (claim ? submitClaimed(claim, (withinMs) => submit(award, withinMs)) : submit(award))).entry;
  }

  async function submit(award: Award, withinMs = AWARD_DEADLINE_MS): Promise<Submitted> {
    const outcome = await committer.submit(award, withinMs);
    if (outcome.kind === "rejected") throw new AppError(outcome.code, rejectionDetail[outcome.code]);
    return { entry: outcome.entry, replayed: outcome.kind === "replayed" };
  }
}

function errorOf({ code, detail }: BudgetRejection): AppError {
  return new AppError(code, code === "busy" ? IN_PROGRESS : detail);
}
