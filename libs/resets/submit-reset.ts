// Accepts a reset: writes the record and, if its time has come, queues the job. Only then is it accepted.
import type { Actor } from "#domain/audit.ts";
import { isWithinReach, RESET_DAYS_MAX, type Reset } from "#domain/reset.ts";
import { FIRST_MEMBER } from "#domain/reversal.ts";
import type { JobQueue } from "#batches/ports.ts";
import { CLOCK_AHEAD_MS_MAX, RESETS_UNFINISHED_PER_CLAN_MAX } from "#resets/bounds.ts";
import type { ResetStore } from "#resets/ports.ts";
import { REVERSALS_PER_TURN } from "#reversals/bounds.ts";
import type { AwardSelection } from "#reversals/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";

/** `at` null: now. */
export type ResetRequest = { clanId: string; at: Date | null; keepPercent: number; reason: string | null };

export type SubmittedReset =
  | { kind: "accepted"; reset: Reset }
  | { kind: "out_of_reach"; detail: string }
  | { kind: "too_many_resets"; detail: string };

/** Throws AppError `unavailable`, `outcome_unknown`. */
export type SubmitReset = (request: ResetRequest, by: Actor) => Promise<SubmittedReset>;

export function makeSubmitReset(deps: {
  resets: Pick<ResetStore, "insert" | "now">;
  selection: Pick<AwardSelection, "newestAt">;
  queue: Pick<JobQueue, "add">;
  clock: Clock;
  ids: Pick<Ids, "reset">;
  log: Log;
}): SubmitReset {
  const { resets, clock } = deps;

  return async function submitReset({ clanId, at: asked, keepPercent, reason }, by) {
    const now = await resets.now();
    const at = asked ?? (await presentOf(clanId, now));
    if (!isWithinReach(at, now)) return { kind: "out_of_reach", detail: OUT_OF_REACH };
    const resetId = deps.ids.reset();
    const reset: Reset = {
      reversalId: resetId,
      clanId,
      apiKeyId: by.via,
      actor: by.actor,
      idempotencyKey: null,
      fingerprint: "",
      reason,
      selection: { kind: "xp", clanId, resetId, at, keepPercent },
      state: asked !== null && at > now ? "scheduled" : "queued",
      position: FIRST_MEMBER,
      attempt: 0,
      selected: 0,
      reversed: 0,
      skipped: 0,
      amount: 0n,
      createdAt: clock.now(),
      startedAt: null,
      finishedAt: null,
    };
    const inserted = await resets.insert(reset, by, { max: RESETS_UNFINISHED_PER_CLAN_MAX });
    if (!inserted) return { kind: "too_many_resets", detail: TOO_MANY };
    if (reset.state === "queued") await enqueue(reset);
    return { kind: "accepted", reset };
  };

  /** An award that was acknowledged before is had, although the clock of the process that applied it was ahead. */
  async function presentOf(clanId: string, now: Date): Promise<Date> {
    const newestAt = await deps.selection.newestAt(clanId);
    const isPlausible = newestAt !== null && newestAt.getTime() - now.getTime() <= CLOCK_AHEAD_MS_MAX;
    return isPlausible && newestAt > now ? newestAt : now;
  }

  /** If Redis does not take the job, the recovery scan queues it. */
  async function enqueue({ reversalId, clanId }: Reset): Promise<void> {
    await deps.queue.add({ batchId: reversalId, clanId, awards: REVERSALS_PER_TURN }).catch((error: unknown) => {
      deps.log.warn({ resetId: reversalId, err: error }, "reset.enqueue_failed");
    });
  }
}

const OUT_OF_REACH = `The time of a reset is at most ${RESET_DAYS_MAX} days ahead or back.`;
const TOO_MANY = `The clan has ${RESETS_UNFINISHED_PER_CLAN_MAX} resets that are not done. Cancel one first. Nothing was accepted.`;
