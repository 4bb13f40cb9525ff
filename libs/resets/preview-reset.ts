// Computes what a reset would take if it ran now. Changes nothing.
import { AppError } from "#kernel/app-error.ts";
import { FIRST_MEMBER, type Position } from "#domain/reversal.ts";
import type { ResetSelection } from "#domain/reset.ts";
import { addXp } from "#domain/xp.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { AwardSelection } from "#reversals/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** `members`: those who would lose XP. `amount`: what would be taken in all. */
export type ResetPreview = { members: number; amount: bigint };

/**
 * Null: there is no such clan. Throws AppError `busy` if it takes longer than `withinMs` (null: no limit),
 * `unavailable`. `at` null: now.
 */
export type PreviewReset = (
  reset: { clanId: string; at: Date | null; keepPercent: number },
  options: { withinMs: number | null },
) => Promise<ResetPreview | null>;

export function makePreviewReset(deps: {
  clans: Pick<ClanStore, "read">;
  selection: Pick<AwardSelection, "read">;
  /** Makes every process project what it has committed in the clan. */
  catchUp: (clanId: string) => Promise<unknown>;
  clock: Clock;
}): PreviewReset {
  const { clock } = deps;
  return async function previewReset({ clanId, at, keepPercent }, { withinMs }) {
    const endMs = withinMs === null ? Infinity : clock.monotonicMs() + withinMs;
    const clan = (await deps.clans.read([clanId])).get(clanId);
    if (!clan) return null;
    await deps.catchUp(clanId);
    // Without a time, everything that was committed is had, whatever the clock of its process says.
    const selected: ResetSelection = { kind: "xp", clanId, resetId: "", at: at ?? ALWAYS, keepPercent };
    const preview: ResetPreview = { members: 0, amount: 0n };
    for (let position: Position | null = FIRST_MEMBER; position !== null;) {
      const step: Awaited<ReturnType<AwardSelection["read"]>> = await deps.selection.read(selected, position);
      for (const { applied: loss, xp = 0n } of step.awards) {
        const taken = xp - addXp(xp, -loss, clan);
        if (taken > 0n) preview.members += 1;
        preview.amount += taken;
      }
      position = step.next;
      if (position !== null && clock.monotonicMs() > endMs) throw tooLarge();
    }
    return preview;
  };
}

const ALWAYS = new Date(8_640_000_000_000_000);

function tooLarge(): AppError {
  return new AppError(
    "busy",
    "The clan has too many members to be counted in time. Nothing was changed. Use clanxp reset --dry-run.",
  );
}
