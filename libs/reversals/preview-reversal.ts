// Computes what a reversal would take back now: the selected awards that are not reversed yet. Changes nothing.
import { AppError } from "#kernel/app-error.ts";
import { reversalKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import { AWARD_IDS_PER_STEP, PREVIEW_MS_MAX, PREVIEWS_AT_ONCE, PREVIEWS_PER_CLAN_AT_ONCE } from "#reversals/bounds.ts";
import { memberIdOf } from "#domain/member-id.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import { startOf, type Position, type ReversalBy, type Selection } from "#domain/reversal.ts";
import type { AwardIdOf, AwardSelection, EntryRef, SelectedAward } from "#reversals/ports.ts";
import { makeReadStep, type ReadStep } from "#reversals/read-step.ts";
import type { SelectAwards } from "#reversals/select-awards.ts";

export type ReversalPreview = { awards: number; members: number; amount: bigint };

/** `givenBy`: of the selected awards, only those that this person made in the dashboard. */
type Options = { withinMs: number | null; givenBy: string | null };

/**
 * Throws AppError `busy` if too many previews are in progress or counting takes longer than `withinMs` (null: no
 * limit), `invalid_request` if the award with this id is too old to be found in that time, `unavailable`.
 */
export type PreviewReversal = (clanId: string, by: ReversalBy, options?: Partial<Options>) => Promise<ReversalPreview>;

export function makePreviewReversal(deps: {
  selectAwards: SelectAwards;
  selection: Pick<AwardSelection, "read">;
  store: Pick<LedgerStore, "readEntries">;
  clock: Clock;
  awardIdOf: AwardIdOf;
}): PreviewReversal {
  const { selectAwards, store, clock, awardIdOf } = deps;
  const readStep = makeReadStep(deps);
  /** The clan of each preview in progress. */
  const counting: string[] = [];

  return async function previewReversal(clanId, by, { withinMs = PREVIEW_MS_MAX, givenBy = null } = {}) {
    const ofClan = counting.filter((other) => other === clanId).length;
    if (counting.length >= PREVIEWS_AT_ONCE || ofClan >= PREVIEWS_PER_CLAN_AT_ONCE) throw tooMany();
    counting.push(clanId);
    try {
      return await count(await selectAwards(clanId, by), { withinMs, givenBy });
    } finally {
      counting.splice(counting.indexOf(clanId), 1);
    }
  };

  async function count(selected: Selection, { withinMs, givenBy }: Options): Promise<ReversalPreview> {
    const endMs = withinMs === null ? Infinity : clock.monotonicMs() + withinMs;
    const members = new Set<string>();
    let [awards, amount] = [0, 0n];
    let after: EntryRef | undefined;
    for (let position: Position | null = startOf(selected); position !== null;) {
      const step: Awaited<ReturnType<ReadStep>> = await readStep(selected, position, { after, endMs });
      for (const award of await withoutReversed(selected, step.awards)) {
        if (givenBy !== null && award.giver !== givenBy) continue;
        members.add(award.platformId);
        awards += 1;
        amount += award.applied;
      }
      after = step.after;
      if (!after) position = step.next;
      if (position !== null && clock.monotonicMs() > endMs) throw tooLarge();
      // The ids are computed in this process, which serves other requests.
      if (position !== null && selected.kind === "award" && withinMs !== null) throw tooOld();
    }
    return { awards, members: members.size, amount };
  }

  async function withoutReversed(
    { clanId }: Selection,
    awards: readonly SelectedAward[],
  ): Promise<readonly SelectedAward[]> {
    if (awards.length === 0) return awards;
    const reversals = awards.map((award) => reversalOf({ clanId, ...award }, awardIdOf));
    const entries = await store.readEntries(reversals);
    return awards.filter((_, index) => {
      const reversal = reversals[index];
      return !reversal || !entries.get(memberIdOf(reversal))?.has(reversal.key);
    });
  }
}

/** The key of the award that reverses this one, if it can be looked up. */
function reversalOf(award: SelectedAward & { clanId: string }, awardIdOf: AwardIdOf): Award {
  const { clanId, platformId } = award;
  const key = reversalKey(awardIdOf(award));
  return { kind: "reversal", clanId, platformId, key, fingerprint: "", amount: -award.applied, apiKeyId: "" };
}

function tooMany(): AppError {
  return new AppError("busy", "Too many dry runs are in progress. Nothing was changed: retry shortly.");
}

function tooOld(): AppError {
  const detail = `must be one of the ${AWARD_IDS_PER_STEP.toLocaleString("en")} newest entries of the member in a dry run`;
  return new AppError(
    "invalid_request",
    `/by/awardId ${detail}. Nothing was changed. Use clanxp reverse --dry-run, or reverse the award without a dry run.`,
    { faults: [{ pointer: "/by/awardId", detail }] },
  );
}

function tooLarge(): AppError {
  return new AppError(
    "busy",
    "The selection is too large to be counted in time. Narrow it with from and to, or use clanxp reverse --dry-run.",
  );
}
