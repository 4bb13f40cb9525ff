// Reverses some awards of a reversal: submits for each of them one entry that takes it back.
//
// Safe to run twice, also concurrently: the key of an award's reversal is derived from the award, and its fingerprint
// is the reversal's id. So an entry that an earlier run wrote is counted as reversed, but not one of another reversal.
import { reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Reversal } from "#domain/reversal.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { BATCH_AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { Pace } from "#usecases/reversals/pace-reversals.ts";
import type { AwardIdOf, SelectedAward } from "#usecases/reversals/ports.ts";

/**
 * Returns how many of them this reversal has reversed, in groups at the pace of the process. Null, and not all are, if
 * they are of a large step and single awards have become active meanwhile. All of a group are awaited before a failure
 * is reported, so that nothing continues in the background. Throws as the committer does.
 */
export type ReverseAwards = (
  reversal: Reversal,
  awards: readonly SelectedAward[],
  step: { isLarge: boolean },
) => Promise<number | null>;

export function makeReverseAwards(deps: {
  committer: Pick<Ledger, "submit">;
  awardIdOf: AwardIdOf;
  pace: Pick<Pace, "atOnce" | "entriesPerStep" | "run">;
}): ReverseAwards {
  const { pace } = deps;

  return async (reversal, awards, { isLarge }) => {
    let reversed = 0;
    for (let first = 0; first < awards.length;) {
      const group = awards.slice(first, first + pace.atOnce());
      reversed += await pace.run(() => reverseGroup(reversal, group));
      first += group.length;
      if (isLarge && awards.length - first > (pace.entriesPerStep() ?? Infinity)) return null;
    }
    return reversed;
  };

  async function reverseGroup(reversal: Reversal, awards: readonly SelectedAward[]): Promise<number> {
    const outcomes = await Promise.allSettled(
      awards.map((award) => deps.committer.submit(reversalOf(reversal, award), BATCH_AWARD_DEADLINE_MS)),
    );
    return outcomes.reduce((reversed, outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value.kind === "rejected" ? reversed : reversed + 1;
    }, 0);
  }

  function reversalOf(
    { reversalId, clanId, apiKeyId, actor, reason }: Reversal,
    { platformId, seq, key, applied }: SelectedAward,
  ): Award {
    return {
      kind: "reversal",
      clanId,
      platformId,
      key: reversalKey(deps.awardIdOf({ clanId, platformId, seq })),
      reverses: { key, seq },
      fingerprint: reversalId,
      amount: -applied,
      apiKeyId,
      ...(actor === null ? {} : { actor }),
      ...(reason === null ? {} : { reason }),
    };
  }
}
