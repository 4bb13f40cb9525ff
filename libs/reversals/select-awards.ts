// Resolves a caller's selection of awards to a range of the ledger at one moment.
//
// Invariant: an award that was acknowledged before that moment is selected if it matches, whatever the clock of the
// process that applied it says. Without `to`, a selection therefore ends after the newest entry of the clan.
import { AppError } from "#kernel/app-error.ts";
import { timestampOf } from "#domain/timestamp.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Clock } from "#kernel/clock.ts";
import type { ReversalBy, Selection } from "#domain/reversal.ts";
import type { AwardSelection } from "#reversals/ports.ts";

/** Throws AppError `unavailable`; `invalid_request` for a reset that waits for its time. */
export type SelectAwards = (clanId: string, by: ReversalBy) => Promise<Selection>;

const BEGINNING = new Date(0);
/** Entries that are counted to find the cheaper way to read a member's awards: some tens of milliseconds of MongoDB. */
const ENTRIES_COUNTED_MAX = 100_000;

export function makeSelectAwards(deps: {
  selection: Pick<AwardSelection, "newestAt" | "newestSeq" | "hasFewer" | "resetState">;
  clock: Clock;
}): SelectAwards {
  const { selection, clock } = deps;

  return async function selectAwards(clanId, by) {
    if ("batchId" in by) return { kind: "batch", clanId, batchId: by.batchId };
    if ("resetId" in by) return ofReset({ clanId, resetId: by.resetId });
    if ("importName" in by) {
      const span = { from: BEGINNING, until: await untilOf(clanId, undefined) };
      return { kind: "import", clanId, importName: by.importName, ...span };
    }
    if ("awardId" in by) {
      const { platformId, awardId } = by;
      return { kind: "award", clanId, platformId, awardId, seq: await selection.newestSeq({ clanId, platformId }) };
    }
    const { from, to } = by;
    const span = { from: from === undefined ? BEGINNING : timestampOf(from), until: await untilOf(clanId, to) };
    if ("keyId" in by) return { kind: "key", clanId, keyId: by.keyId, ...span };
    if ("matchId" in by) return { kind: "match", clanId, matchId: by.matchId, ...span };
    const { platformId } = by;
    return { kind: "member", clanId, platformId, ...span, byTime: await isShorterByTime({ clanId, platformId }, span) };
  };

  /** A reversal waits until the reset is done, but not for weeks. */
  async function ofReset(reset: { clanId: string; resetId: string }): Promise<Selection> {
    if ((await selection.resetState(reset)) !== "scheduled") return { kind: "reset", ...reset };
    const detail = "must not wait for its time: cancel it with clanxp reset cancel";
    throw new AppError("invalid_request", `/by/resetId ${detail}. Nothing was changed.`, {
      faults: [{ pointer: "/by/resetId", detail }],
    });
  }

  /**
   * Entries of a member are ordered by number. Their times may be in another order, because several processes write
   * them. So either all entries of the member are read, or all of the clan's in the time span.
   */
  async function isShorterByTime(member: MemberRef, span: { from: Date; until: Date }): Promise<boolean> {
    const entries = Math.min(await selection.newestSeq(member), ENTRIES_COUNTED_MAX);
    return selection.hasFewer({ clanId: member.clanId, ...span }, entries);
  }

  async function untilOf(clanId: string, to: string | undefined): Promise<Date> {
    const newestAt = (await selection.newestAt(clanId)) ?? BEGINNING;
    const end = Math.max(newestAt.getTime(), clock.now().getTime()) + 1;
    return new Date(to === undefined ? end : Math.min(end, timestampOf(to).getTime()));
  }
}
