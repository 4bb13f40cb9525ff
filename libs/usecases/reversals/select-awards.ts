// What a caller's words for some awards mean in the ledger, fixed at one moment.
//
// Invariant: an award that was acknowledged before that moment is selected if the words fit it, whatever the clock of
// the process that applied it says: without `to` a selection ends behind the newest entry of the clan.
import { AppError } from "#domain/app-error.ts";
import { AWARD_IDS_MAX, AWARD_IDS_PER_TURN } from "#usecases/bounds.ts";
import type { Clock } from "#usecases/ports.ts";
import type { ReversalBy, Selection } from "#domain/reversal.ts";
import type { AwardIdOf, AwardSelection } from "#usecases/reversals/ports.ts";

/** Throws AppError `invalid_request` for an award by its id that is older than those it looks at, `unavailable`. */
export type SelectAwards = (clanId: string, by: ReversalBy) => Promise<Selection>;

const BEGINNING = new Date(0);

export function makeSelectAwards(world: {
  selection: Pick<AwardSelection, "newestAt" | "newestSeq">;
  clock: Clock;
  awardIdOf: AwardIdOf;
  /** Infinity where nobody else waits for the process. */
  idsMax?: number;
}): SelectAwards {
  const { selection, clock, awardIdOf, idsMax = AWARD_IDS_MAX } = world;

  return async function selectAwards(clanId, by) {
    if ("batchId" in by) return { kind: "batch", clanId, batchId: by.batchId };
    if ("awardId" in by) return { kind: "award", clanId, platformId: by.platformId, seq: await seqOf(clanId, by) };
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

  /** An award's id is a digest of its number: the newest ones are tried first, without a look at the ledger. */
  async function seqOf(
    clanId: string,
    { platformId, awardId }: { platformId: string; awardId: string },
  ): Promise<number> {
    const newest = await selection.newestSeq({ clanId, platformId });
    const last = Math.max(newest - idsMax, 0);
    for (let seq = newest; seq > last; seq -= 1) {
      if (awardIdOf({ clanId, platformId, seq }) === awardId) return seq;
      if (seq % AWARD_IDS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    if (last > 0) throw tooOld(idsMax);
    return 0;
  }
}

function tooOld(idsMax: number): AppError {
  const detail = `must be one of the ${idsMax.toLocaleString("en")} newest entries of the member`;
  return new AppError(
    "invalid_request",
    `/by/awardId ${detail}. Nothing was reversed. Select older awards by platformId, from and to, or use clanxp reverse.`,
    { faults: [{ pointer: "/by/awardId", detail }] },
  );
}
