// Accepts a batch: decides which awards are rejected, writes the record, queues the job. Only then is the batch
// accepted (decision 0003).
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import { keyedBatchId } from "#domain/batch-id.ts";
import { refundOnFailure } from "#keys/refund-on-failure.ts";
import type { Claim, ClaimBudget } from "#keys/key-budget.ts";
import { isRejected, type Batch } from "#domain/batch.ts";
import { makeAdmitAwards, type AdmitAwards, type Admitted, type SentAward } from "#batches/admit-awards.ts";
import { fullness, makeReadBacklog, noteAccepted } from "#batches/read-backlog.ts";
import { BUDGET_POLL_MS, BUDGET_WAIT_MS } from "#keys/bounds.ts";
import type { ClanRules } from "#clans/clan-rules.ts";
import type { Principal } from "#domain/key.ts";
import type { BatchStore, JobQueue } from "#batches/ports.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";

export type SubmitBatchRequest = {
  principal: Principal;
  awards: readonly SentAward[];
  idempotencyKey: string | null;
  /** Counts the awards against the caller's rate. May throw; then nothing was accepted. */
  spendAwards: (awards: number) => Promise<void>;
};

/**
 * The accepted batch, and whether its key named it before (`replayed`). Throws AppError `idempotency_key_reused`,
 * `busy`, `unavailable`, and what `spendAwards` throws. No current rate or bound rejects a batch that its key already
 * names. A job that could not be queued is no error: the record is stored, and the recovery scan queues the job.
 */
export type SubmitBatch = (request: SubmitBatchRequest) => Promise<{ batch: Batch; replayed: boolean }>;

export function makeSubmitBatch(deps: {
  batches: Pick<BatchStore, "insert" | "findByKey" | "countUnfinished">;
  members: Pick<LedgerStore, "readHeads" | "readEntries">;
  queue: Pick<JobQueue, "add">;
  rules: ClanRules;
  claimBudget: ClaimBudget;
  clock: Clock;
  digest: Digest;
  ids: Pick<Ids, "batch">;
  meter: Meter;
  log: Log;
}): SubmitBatch {
  const readBacklog = makeReadBacklog(deps);
  const admitAwards = makeAdmitAwards(deps);

  return async function submitBatch({ principal, awards, idempotencyKey, spendAwards }) {
    const { clanId } = principal;
    const fingerprint = idempotencyKey === null ? "" : deps.digest(JSON.stringify(awards.map((award) => award.sent)));
    const batchId =
      idempotencyKey === null
        ? deps.ids.batch()
        : keyedBatchId(deps.digest(JSON.stringify([clanId, idempotencyKey, fingerprint])));
    const findBound = () => (idempotencyKey === null ? null : deps.batches.findByKey({ clanId, idempotencyKey }));
    try {
      // An empty batch costs as much as one award, because it causes work too.
      await spendAwards(Math.max(awards.length, 1));
    } catch (error) {
      const bound = await findBound();
      if (bound?.fingerprint === fingerprint) return { batch: bound, replayed: true };
      throw error;
    }
    const unfinished = await readBacklog();
    const full = fullness(unfinished, clanId);
    if (full) {
      const bound = await findBound();
      if (bound) return replayOf(bound, fingerprint);
      throw new AppError("busy", full);
    }
    const now = deps.clock.now();
    // There is nothing to apply, and the result cannot be requested again.
    const leavesNoRecord = awards.length === 0 && idempotencyKey === null;
    const keyedId = idempotencyKey === null ? null : batchId;
    const admitted = await admitSettled({ ...deps, admitAwards }, principal, awards, { keyedId, findBound });
    if ("bound" in admitted) return replayOf(admitted.bound, fingerprint);
    const facts = { batchId, clanId, apiKeyId: principal.keyId, idempotencyKey, fingerprint, awards: admitted.awards };
    const batch = newBatch(facts, now);
    if (leavesNoRecord) return { batch: { ...batch, state: "done", finishedAt: now }, replayed: false };
    const inserted = await insertClaimed(batch, admitted.claim);
    if (inserted.kind === "bound") return replayOf(inserted.batch, fingerprint);
    if (unfinished) noteAccepted(unfinished, clanId);
    await enqueue(batch);
    return { batch, replayed: false };
  };

  /** If the batch is not accepted, its budget is refunded, unless the outcome is unknown. */
  async function insertClaimed(batch: Batch, claim: Claim | null): ReturnType<BatchStore["insert"]> {
    const inserted = await refundOnFailure(claim, () => deps.batches.insert(batch), { maySubmit: true });
    if (inserted.kind === "bound") await claim?.refund([...batch.awards.keys()]);
    return inserted;
  }

  async function enqueue(batch: Batch): Promise<void> {
    for (const award of batch.awards) if (isRejected(award)) deps.meter.rejected(award.code);
    try {
      await deps.queue.add({ batchId: batch.batchId, clanId: batch.clanId, awards: batch.awards.length });
    } catch (error) {
      deps.log.warn({ batchId: batch.batchId, err: error }, "batch.enqueue_failed");
    }
  }
}

const IN_PROGRESS =
  "An earlier request for this batch is still in progress. This one was not accepted: retry with the same Idempotency-Key.";

/** Waits briefly for an earlier request for the same batch that has counted its XP and is not accepted yet. */
async function admitSettled(
  { admitAwards, clock }: { admitAwards: AdmitAwards; clock: Clock },
  principal: Principal,
  awards: readonly SentAward[],
  { keyedId, findBound }: { keyedId: string | null; findBound: () => Promise<Batch | null> | null },
): Promise<Admitted | { bound: Batch }> {
  const endMs = clock.monotonicMs() + BUDGET_WAIT_MS;
  for (;;) {
    // XP that the other request counts must not be counted twice.
    const bound = principal.limits.xpPerDay === null ? null : await findBound();
    if (bound) return { bound };
    const admitted = await admitAwards(principal, awards, keyedId);
    if (!admitted.isUnsettled) return admitted;
    await admitted.claim?.refund([...awards.keys()]);
    if (clock.monotonicMs() >= endMs) throw new AppError("busy", IN_PROGRESS);
    await pause(BUDGET_POLL_MS);
  }
}

type Sent = Pick<Batch, "batchId" | "clanId" | "apiKeyId" | "idempotencyKey" | "fingerprint" | "awards">;

function newBatch(sent: Sent, createdAt: Date): Batch {
  const nothingYet = { cancelled: false, outcomes: [], appliedOnce: null, startedAt: null, finishedAt: null } as const;
  return { ...sent, state: "queued", ...nothingYet, createdAt };
}

/** The batch that the key already names, for a retry whose awards have this fingerprint. */
function replayOf(bound: Batch, fingerprint: string): { batch: Batch; replayed: true } {
  if (bound.fingerprint === fingerprint) return { batch: bound, replayed: true };
  throw new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key was already used for other awards of this clan. Nothing was applied. If this is a retry, send it unchanged. Use another key only for another batch.",
  );
}
