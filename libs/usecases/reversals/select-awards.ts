// Resolves a caller's selection of awards to what it means in the ledger at one moment.
//
// Invariant: an award that was acknowledged before that moment is selected if it matches, whatever the clock of the
// process that applied it says. Without `to`, a selection therefore ends after the newest entry of the clan.
import type { Clock } from "#usecases/ports.ts";
import type { ReversalBy, Selection } from "#domain/reversal.ts";
import type { AwardSelection } from "#usecases/reversals/ports.ts";

/** Throws AppError `unavailable`. */
export type SelectAwards = (clanId: string, by: ReversalBy) => Promise<Selection>;

const BEGINNING = new Date(0);

export function makeSelectAwards(world: {
  selection: Pick<AwardSelection, "newestAt" | "newestSeq">;
  clock: Clock;
}): SelectAwards {
  const { selection, clock } = world;

  return async function selectAwards(clanId, by) {
    if ("batchId" in by) return { kind: "batch", clanId, batchId: by.batchId };
    if ("awardId" in by) {
      const { platformId, awardId } = by;
      return { kind: "award", clanId, platformId, awardId, seq: await selection.newestSeq({ clanId, platformId }) };
    }
    const { from, to } = by;
    const span = { from: from === undefined ? BEGINNING : new Date(from), until: await untilOf(clanId, to) };
    if ("keyId" in by) return { kind: "key", clanId, keyId: by.keyId, ...span };
    if ("matchId" in by) return { kind: "match", clanId, matchId: by.matchId, ...span };
    return { kind: "member", clanId, platformId: by.platformId, ...span };
  };

  async function untilOf(clanId: string, to: string | undefined): Promise<Date> {
    const newestAt = (await selection.newestAt(clanId)) ?? BEGINNING;
    const end = Math.max(newestAt.getTime(), clock.now().getTime()) + 1;
    return new Date(to === undefined ? end : Math.min(end, Date.parse(to)));
  }
}
