// Accepts a reversal: fixes which awards it selects, writes the record, queues the job. Only then is it accepted
// (decision 0003).
import { AppError } from "#kernel/app-error.ts";
import { REVERSALS_PER_TURN, REVERSALS_UNFINISHED_MAX, REVERSALS_UNFINISHED_PER_CLAN_MAX } from "#reversals/bounds.ts";
import type { Actor } from "#domain/audit.ts";
import type { JobQueue } from "#batches/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import { startOf, type Reversal, type ReversalBy } from "#domain/reversal.ts";
import type { BoundReversal, ReversalStore } from "#reversals/ports.ts";
import type { SelectAwards } from "#reversals/select-awards.ts";

export type SubmitReversalRequest = {
  clanId: string;
  /** Who requests it: an API key, or a person, for whom an audit record is written. */
  caller: { keyId: string } | Actor;
  by: ReversalBy;
  reason: string | null;
  idempotencyKey: string | null;
};

/**
 * The accepted reversal, and whether its key named it before (`replayed`). Throws AppError `idempotency_key_reused`,
 * `busy`, `unavailable`, `outcome_unknown`. A job that could not be queued is no error: the record is stored, and the
 * recovery scan queues the job.
 */
export type SubmitReversal = (
  request: SubmitReversalRequest,
) => Promise<{ reversal: BoundReversal; replayed: boolean }>;

export function makeSubmitReversal(deps: {
  reversals: Pick<ReversalStore, "insert" | "findByKey" | "countUnfinished">;
  selectAwards: SelectAwards;
  queue: Pick<JobQueue, "add">;
  clock: Clock;
  digest: Digest;
  ids: Pick<Ids, "reversal">;
  log: Log;
}): SubmitReversal {
  const { reversals, log } = deps;

  return async function submitReversal({ clanId, caller, by, reason, idempotencyKey }) {
    const fingerprint = idempotencyKey === null ? "" : deps.digest(JSON.stringify([by, reason]));
    const bound = idempotencyKey === null ? null : await reversals.findByKey({ clanId, idempotencyKey });
    if (bound) return replayOf(bound, fingerprint);
    await requireCapacity(clanId);
    const selection = await deps.selectAwards(clanId, by);
    const reversal: Reversal = {
      reversalId: deps.ids.reversal(),
      clanId,
      ...("keyId" in caller ? { apiKeyId: caller.keyId, actor: null } : { apiKeyId: caller.via, actor: caller.actor }),
      idempotencyKey,
      fingerprint,
      by,
      reason,
      selection,
      state: "queued",
      position: startOf(selection),
      attempt: 0,
      selected: 0,
      reversed: 0,
      skipped: 0,
      amount: 0n,
      createdAt: deps.clock.now(),
      startedAt: null,
      finishedAt: null,
    };
    const inserted = await reversals.insert(reversal, "keyId" in caller ? null : caller);
    if (inserted.kind === "bound") return replayOf(inserted.reversal, fingerprint);
    await enqueue(reversal);
    return { reversal, replayed: false };
  };

  async function requireCapacity(clanId: string): Promise<void> {
    const { all, ofClan } = await reversals.countUnfinished(clanId);
    if (all < REVERSALS_UNFINISHED_MAX && ofClan < REVERSALS_UNFINISHED_PER_CLAN_MAX) return;
    throw new AppError(
      "busy",
      "Too many reversals are unfinished. Nothing was accepted: retry when some of them are done.",
    );
  }

  async function enqueue({ reversalId, clanId }: Reversal): Promise<void> {
    try {
      await deps.queue.add({ batchId: reversalId, clanId, awards: REVERSALS_PER_TURN });
    } catch (error) {
      log.warn({ reversalId, err: error }, "reversal.enqueue_failed");
    }
  }
}

function replayOf(reversal: BoundReversal, fingerprint: string): { reversal: BoundReversal; replayed: true } {
  if (reversal.fingerprint === fingerprint) return { reversal, replayed: true };
  throw new AppError(
    "idempotency_key_reused",
    "This idempotency key was used for another reversal of this clan. Nothing was accepted.",
  );
}
