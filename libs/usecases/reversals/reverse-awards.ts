// Reverses some awards of a reversal: submits for each of them one entry that takes it back.
//
// Safe to run twice, also concurrently: the key of an award's reversal is derived from the award, and its fingerprint
// is the reversal's id. So an entry that an earlier run wrote is counted as reversed, but not one of another reversal.
import { reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Reversal } from "#domain/reversal.ts";
import type { AwardCommitter } from "#usecases/awards/award-committer.ts";
import { BATCH_AWARD_DEADLINE_MS } from "#usecases/awards/bounds.ts";
import type { AwardIdOf, SelectedAward } from "#usecases/reversals/ports.ts";

/**
 * Returns how many of them this reversal has reversed. All are awaited before a failure is reported, so that nothing
 * continues in the background. Throws as the committer does.
 */
export type ReverseAwards = (reversal: Reversal, awards: readonly SelectedAward[]) => Promise<number>;

export function makeReverseAwards(world: {
  committer: Pick<AwardCommitter, "submit">;
  awardIdOf: AwardIdOf;
}): ReverseAwards {
  return async (reversal, awards) => {
    const outcomes = await Promise.allSettled(
      awards.map((award) => world.committer.submit(reversalOf(reversal, award), BATCH_AWARD_DEADLINE_MS)),
    );
    return outcomes.reduce((reversed, outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value.kind === "rejected" ? reversed : reversed + 1;
    }, 0);
  };

  function reversalOf(
    { reversalId, clanId, apiKeyId, actor, reason }: Reversal,
    { platformId, seq, key, applied }: SelectedAward,
  ): Award {
    return {
      kind: "reversal",
      clanId,
      platformId,
      key: reversalKey(world.awardIdOf({ clanId, platformId, seq })),
      reverses: { key, seq },
      fingerprint: reversalId,
      amount: -applied,
      apiKeyId,
      ...(actor === null ? {} : { actor }),
      ...(reason === null ? {} : { reason }),
    };
  }
}
