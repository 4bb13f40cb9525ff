// Gives XP to a member, or takes XP from them, on behalf of a person: an award with an actor instead of an API key.
import { amountFault } from "#domain/amount-rules.ts";
import { AppError } from "#domain/app-error.ts";
import type { Actor } from "#domain/audit.ts";
import { callerAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { FindReplays } from "#usecases/awards/find-replays.ts";
import { rejectionDetail } from "#usecases/awards/rejection-detail.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { ClanRules } from "#usecases/clans/clan-rules.ts";
import type { Digest } from "#runtime/ports.ts";

/** `changeId` is created once for each change: the same change under the same id counts once. */
export type XpChange = MemberRef & { amount: number; reason: string; changeId: string };

/**
 * The entry that is stored for this change. Throws AppError `invalid_request` (beyond the clan's bound, unless the
 * change was applied before), and as the committer does.
 */
export type ChangeXp = (change: XpChange, by: Actor) => Promise<Entry>;

export function makeChangeXp(deps: {
  committer: Pick<Ledger, "submit">;
  findReplays: FindReplays;
  rules: ClanRules;
  digest: Digest;
}): ChangeXp {
  const { committer, findReplays, rules, digest } = deps;
  return async function changeXp({ clanId, platformId, amount, reason, changeId }, by) {
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
    const outcome = await committer.submit(award, AWARD_DEADLINE_MS);
    if (outcome.kind === "rejected") throw new AppError(outcome.code, rejectionDetail[outcome.code]);
    return outcome.entry;
  };
}
