// Accepts a batch: fixes what is refused, writes the record, queues the job. Only then is it accepted (decision 0003).
import { AppError } from "#domain/app-error.ts";
import { amountFault, lacksDeduct, LACKS_DEDUCT } from "#usecases/amount-rules.ts";
import { isRefused, type Batch, type BatchAward, type RefusedAward } from "#usecases/batch.ts";
import { BACKLOG_AGE_MAX_MS, BATCHES_UNFINISHED_MAX } from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clan-rules.ts";
import { makeFreshCache } from "#usecases/fresh-cache.ts";
import type { Principal } from "#usecases/key.ts";
import {
  memberIdOf,
  type AwardStore,
  type BatchStore,
  type Clock,
  type Digest,
  type Ids,
  type JobQueue,
  type Log,
  type Meter,
} from "#usecases/ports.ts";

/** An entry as it was sent: read and found good, or refused with what could be read of it. `sent` is its meaning, for comparing. */
export type SentAward = { sent: string; award: { platformId: string; amount: number } | RefusedAward };

export type SubmitBatchRequest = { principal: Principal; awards: readonly SentAward[]; idempotencyKey: string | null };

/**
 * The accepted batch, and whether its key named it before (`replayed`). Throws AppError `idempotency_key_reused`, `busy`, `unavailable`.
 * A job that could not be queued is no error: the record stands, and the sweep brings the job.
 */
export type SubmitBatch = (request: SubmitBatchRequest) => Promise<{ batch: Batch; replayed: boolean }>;

export function makeSubmitBatch(world: {
  batches: Pick<BatchStore, "insert" | "findByKey" | "countUnfinished">;
  members: Pick<AwardStore, "readHeads">;
  queue: Pick<JobQueue, "add">;
  rules: ClanRules;
  clock: Clock;
  digest: Digest;
  ids: Pick<Ids, "batch">;
  meter: Meter;
  log: Log;
}): SubmitBatch {
  const backlog = makeFreshCache<number>({
    load: async ([name = ""]) => new Map([[name, await world.batches.countUnfinished(BATCHES_UNFINISHED_MAX)]]),
    ageMaxMs: BACKLOG_AGE_MAX_MS,
    sizeMax: 1,
    clock: world.clock,
  });

  return async function submitBatch({ principal, awards, idempotencyKey }) {
    const { clanId } = principal;
    const fingerprint = idempotencyKey === null ? "" : world.digest(JSON.stringify(awards.map((award) => award.sent)));
    if (((await backlog.get("all clans")) ?? 0) >= BATCHES_UNFINISHED_MAX) {
      const bound = idempotencyKey === null ? null : await world.batches.findByKey({ clanId, idempotencyKey });
      if (bound) return repeatOf(bound, fingerprint);
      throw new AppError("busy", "Too many batches are waiting. This one was not accepted: try again shortly.");
    }
    const batch: Batch = {
      batchId: world.ids.batch(),
      clanId,
      apiKeyId: principal.keyId,
      idempotencyKey,
      fingerprint,
      awards: await admitAwards(principal, awards),
      state: "queued",
      outcomes: [],
      createdAt: world.clock.now(),
      startedAt: null,
      finishedAt: null,
    };
    const inserted = await world.batches.insert(batch);
    if (inserted.kind === "bound") return repeatOf(inserted.batch, fingerprint);
    for (const award of batch.awards) if (isRefused(award)) world.meter.rejected(award.code);
    try {
      await world.queue.add(batch.batchId);
    } catch (error) {
      world.log.warn({ batchId: batch.batchId, err: error }, "batch.not_queued");
    }
    return { batch, replayed: false };
  };

  async function admitAwards(principal: Principal, awards: readonly SentAward[]): Promise<BatchAward[]> {
    const clan = await world.rules.get(principal.clanId);
    const admitted = awards.map(({ award }): BatchAward => {
      if (isRefused(award)) return award;
      const { platformId, amount } = award;
      const outOfBounds = amountFault(amount, clan);
      if (outOfBounds) return { platformId, code: "invalid_request", detail: outOfBounds };
      if (lacksDeduct(amount, principal.scopes)) return { platformId, code: "scope_missing", detail: LACKS_DEDUCT };
      return { platformId, amount: BigInt(amount) };
    });
    if (clan?.autoClan) return admitted;

    const wanted = admitted
      .filter((award) => !isRefused(award))
      .map(({ platformId }) => ({ clanId: principal.clanId, platformId: platformId ?? "" }));
    const heads = await world.members.readHeads(wanted);
    return admitted.map((award) => {
      if (isRefused(award)) return award;
      if (heads.get(memberIdOf({ clanId: principal.clanId, platformId: award.platformId }))?.membership) return award;
      return { platformId: award.platformId, code: "member_not_found", detail: "No member of the clan, and the clan is not an Auto Clan." };
    });
  }
}

/** What a key stands for already, asked for again with awards of this fingerprint. */
function repeatOf(bound: Batch, fingerprint: string): { batch: Batch; replayed: true } {
  if (bound.fingerprint === fingerprint) return { batch: bound, replayed: true };
  throw new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key already stands for other awards of this clan. Nothing was applied: send the new awards under a new key.",
  );
}
