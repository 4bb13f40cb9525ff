// Reverses some awards of a reversal: submits for each of them one entry that takes it back. For each member of a
// reset, one entry that takes what they lose.
//
// Safe to run twice, also concurrently: the key of an award's reversal is derived from the award, that of a member's
// loss from the reset, and the fingerprint is the id of the run. So an entry that an earlier run wrote is counted as
// reversed, but not one of another reversal.
import { resetKey, reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import { isReset, type Correction } from "#domain/reset.ts";
import type { ReversalCounts } from "#domain/reversal.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { BATCH_AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { Pace } from "#reversals/pace-reversals.ts";
import type { AwardIdOf, SelectedAward } from "#reversals/ports.ts";

type Reversed = Pick<ReversalCounts, "reversed" | "amount">;

/**
 * Returns how many of them this run has reversed, in groups at the pace of the process. Null, and not all are, if
 * they are of a large step and single awards have become active meanwhile. All of a group are awaited before a failure
 * is reported, so that nothing continues in the background. Throws as the committer does.
 */
export type ReverseAwards = (
  correction: Correction,
  awards: readonly SelectedAward[],
  step: { isLarge: boolean },
) => Promise<Reversed | null>;

export function makeReverseAwards(deps: {
  committer: Pick<Ledger, "submit">;
  awardIdOf: AwardIdOf;
  pace: Pick<Pace, "atOnce" | "entriesPerStep" | "run">;
}): ReverseAwards {
  const { pace } = deps;

  return async (correction, awards, { isLarge }) => {
    const all: Reversed = { reversed: 0, amount: 0n };
    for (let first = 0; first < awards.length;) {
      const group = awards.slice(first, first + pace.atOnce());
      const { reversed, amount } = await pace.run(() => reverseGroup(correction, group));
      all.reversed += reversed;
      all.amount += amount;
      first += group.length;
      if (isLarge && awards.length - first > (pace.entriesPerStep() ?? Infinity)) return null;
    }
    return all;
  };

  async function reverseGroup(correction: Correction, awards: readonly SelectedAward[]): Promise<Reversed> {
    const outcomes = await Promise.allSettled(
      awards.map((award) => deps.committer.submit(changeOf(correction, award), BATCH_AWARD_DEADLINE_MS)),
    );
    const group: Reversed = { reversed: 0, amount: 0n };
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") throw outcome.reason;
      if (outcome.value.kind === "rejected") continue;
      const { applied } = outcome.value.entry;
      // A member of a reset who had nothing left to lose is not counted.
      if (applied !== 0n || !isReset(correction)) group.reversed += 1;
      group.amount -= applied;
    }
    return group;
  }

  function changeOf(correction: Correction, { platformId, seq, key, applied }: SelectedAward): Award {
    const { reversalId, clanId, apiKeyId, actor, reason } = correction;
    const change: Pick<Award, "kind" | "key" | "reverses" | "seenSeq"> = isReset(correction)
      ? { kind: "reset", key: resetKey(reversalId), seenSeq: seq }
      : {
          kind: "reversal",
          key: reversalKey(deps.awardIdOf({ clanId, platformId, seq })),
          reverses: { key, seq },
        };
    return {
      ...change,
      clanId,
      platformId,
      fingerprint: reversalId,
      amount: -applied,
      apiKeyId,
      ...(actor === null ? {} : { actor }),
      ...(reason === null ? {} : { reason }),
    };
  }
}
