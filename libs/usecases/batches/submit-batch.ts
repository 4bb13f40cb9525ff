// Accepts a batch: fixes what is refused, writes the record, queues the job. Only then is it accepted (decision 0003).
import { AppError } from "#domain/app-error.ts";
import { batchAwardKey } from "#domain/award-key.ts";
import { keyedBatchId } from "#domain/batch-id.ts";
import type { Award } from "#domain/award.ts";
import { giveBackOnFailure } from "#usecases/keys/give-back-on-failure.ts";
import type { Claim, ClaimBudget } from "#usecases/keys/key-budget.ts";
import { amountFault, lacksDeduct, LACKS_DEDUCT } from "#domain/amount-rules.ts";
import { isRefused, type Batch, type BatchAward, type RefusedAward } from "#domain/batch.ts";
import { BACKLOG_AGE_MAX_MS, BATCHES_UNFINISHED_MAX, BATCHES_UNFINISHED_PER_CLAN_MAX } from "#usecases/bounds.ts";
import type { ClanRules } from "#usecases/clans/clan-rules.ts";
import { makeTtlCache } from "#async/ttl-cache.ts";
import type { Principal } from "#domain/key.ts";
import type { BatchStore, JobQueue } from "#usecases/batches/ports.ts";
import { memberIdOf } from "#domain/member-id.ts";
import type { AwardStore } from "#usecases/awards/ports.ts";
import type { Clock, Digest, Ids, Log, Meter } from "#usecases/ports.ts";

/**
 * An entry as it was sent: read and found good, or refused with what could be read of it. `sent` is its meaning, for
 * comparing.
 */
export type SentAward = { sent: string; award: { platformId: string; amount: number } | RefusedAward };

export type SubmitBatchRequest = {
  principal: Principal;
  awards: readonly SentAward[];
  idempotencyKey: string | null;
  /** Spends the caller's rate. May throw: then nothing was accepted. */
  spendAwards: (awards: number) => Promise<void>;
};

/**
 * The accepted batch, and whether its key named it before (`replayed`). Throws AppError `idempotency_key_reused`,
 * `busy`, `unavailable`, and what `spendAwards` throws; a batch that its key names already is never refused by a rate
 * or a bound of now. A job that could not be queued is no error: the record is stored, and the recovery scan brings the
 * job.
 */
export type SubmitBatch = (request: SubmitBatchRequest) => Promise<{ batch: Batch; replayed: boolean }>;

export function makeSubmitBatch(world: {
  batches: Pick<BatchStore, "insert" | "findByKey" | "countUnfinished">;
  members: Pick<AwardStore, "readHeads" | "readEntries">;
  queue: Pick<JobQueue, "add">;
  rules: ClanRules;
  claimBudget: ClaimBudget;
  clock: Clock;
  digest: Digest;
  ids: Pick<Ids, "batch">;
  meter: Meter;
  log: Log;
}): SubmitBatch {
  const backlog = makeTtlCache<Unfinished>({
    load: async ([name = ""]) => new Map([[name, unfinishedOf(await world.batches.countUnfinished())]]),
    ageMaxMs: BACKLOG_AGE_MAX_MS,
    sizeMax: 1,
    clock: world.clock,
  });

  return async function submitBatch({ principal, awards, idempotencyKey, spendAwards }) {
    const { clanId } = principal;
    const fingerprint = idempotencyKey === null ? "" : world.digest(JSON.stringify(awards.map((award) => award.sent)));
    const batchId =
      idempotencyKey === null
        ? world.ids.batch()
        : keyedBatchId(world.digest(JSON.stringify([clanId, idempotencyKey, fingerprint])));
    const findBound = () => (idempotencyKey === null ? null : world.batches.findByKey({ clanId, idempotencyKey }));
    try {
      // An empty batch is work too: it costs as much as one award.
      await spendAwards(Math.max(awards.length, 1));
    } catch (refusal) {
      const bound = await findBound();
      if (bound?.fingerprint === fingerprint) return { batch: bound, replayed: true };
      throw refusal;
    }
    const unfinished = await backlog.get("all clans");
    const full = fullness(unfinished, clanId);
    if (full) {
      const bound = await findBound();
      if (bound) return repeatOf(bound, fingerprint);
      throw new AppError("busy", full);
    }
    const now = world.clock.now();
    // Nothing to do, and nobody can ask for it again.
    const leavesNoRecord = awards.length === 0 && idempotencyKey === null;
    const admitted = await admitAwards(principal, awards, idempotencyKey === null ? null : batchId);
    const batch: Batch = {
      batchId,
      clanId,
      apiKeyId: principal.keyId,
      idempotencyKey,
      fingerprint,
      awards: admitted.awards,
      state: leavesNoRecord ? "done" : "queued",
      cancelled: false,
      outcomes: [],
      appliedOnce: null,
      createdAt: now,
      startedAt: null,
      finishedAt: leavesNoRecord ? now : null,
    };
    if (leavesNoRecord) return { batch, replayed: false };
    const inserted = await insertClaimed(batch, admitted.claim);
    if (inserted.kind === "bound") return repeatOf(inserted.batch, fingerprint);
    if (unfinished) noteAccepted(unfinished, clanId);
    await enqueue(batch);
    return { batch, replayed: false };
  };

  /** What is not accepted now is not counted, unless nobody knows. */
  async function insertClaimed(batch: Batch, claim: Claim | null): ReturnType<BatchStore["insert"]> {
    const inserted = await giveBackOnFailure(claim, () => world.batches.insert(batch), { maySubmit: true });
    if (inserted.kind === "bound") await claim?.giveBack([...batch.awards.keys()]);
    return inserted;
  }

  async function enqueue(batch: Batch): Promise<void> {
    for (const award of batch.awards) if (isRefused(award)) world.meter.rejected(award.code);
    try {
      await world.queue.add({ batchId: batch.batchId, clanId: batch.clanId, awards: batch.awards.length });
    } catch (error) {
      world.log.warn({ batchId: batch.batchId, err: error }, "batch.enqueue_failed");
    }
  }

  /**
   * `keyedId`: the id of a batch with an Idempotency-Key, whose awards may have been applied before although its record
   * is unknown.
   */
  async function admitAwards(
    principal: Principal,
    awards: readonly SentAward[],
    keyedId: string | null,
  ): Promise<{ awards: BatchAward[]; claim: Claim | null }> {
    const clan = await world.rules.get(principal.clanId);
    const admitted = awards.map(({ award }): BatchAward => {
      if (isRefused(award)) return award;
      const { platformId, amount } = award;
      const outOfBounds = amountFault(amount, clan);
      if (outOfBounds) return { platformId, code: "invalid_request", detail: outOfBounds };
      if (lacksDeduct(amount, principal.scopes)) return { platformId, code: "scope_missing", detail: LACKS_DEDUCT };
      return { platformId, amount: BigInt(amount) };
    });
    const claim = await world.claimBudget(
      principal,
      admitted.map((award) => (isRefused(award) ? null : Number(award.amount))),
    );
    const within = admitted.map((award, index): BatchAward => {
      const detail = claim?.refusals[index];
      return detail ? { platformId: award.platformId, code: "budget_exceeded", detail } : award;
    });
    return giveBackOnFailure(claim, async () => {
      const judged = clan?.autoClan ? within : await refuseStrangers(principal.clanId, within);
      const readmitted = keyedId === null ? judged : await readmitApplied(principal, { awards, judged, keyedId });
      await claim?.giveBack(judged.flatMap((award, index) => (isRefused(award) ? [index] : [])));
      return { awards: readmitted, claim };
    });
  }

  async function refuseStrangers(clanId: string, awards: readonly BatchAward[]): Promise<BatchAward[]> {
    const wanted = awards
      .filter((award) => !isRefused(award))
      .map(({ platformId }) => ({ clanId, platformId: platformId ?? "" }));
    const heads = await world.members.readHeads(wanted);
    return awards.map((award) => {
      if (isRefused(award) || heads.get(memberIdOf({ clanId, platformId: award.platformId }))?.membership) return award;
      return {
        platformId: award.platformId,
        code: "member_not_found",
        detail: "No member of the clan, and the clan is not an Auto Clan.",
      };
    });
  }

  /**
   * The lookup is made only where an award is about to be refused by rules that may have changed since it was applied.
   */
  async function readmitApplied(
    { clanId, keyId }: Principal,
    { awards, judged, keyedId }: { awards: readonly SentAward[]; judged: readonly BatchAward[]; keyedId: string },
  ): Promise<BatchAward[]> {
    const inDoubt = awards.map(({ award }, index): Award | null => {
      const refused = judged[index];
      if (!refused || !isRefused(refused) || isRefused(award)) return null;
      const key = batchAwardKey(keyedId, index);
      return {
        ...award,
        clanId,
        key,
        fingerprint: "",
        amount: BigInt(award.amount),
        apiKeyId: keyId,
        batchId: keyedId,
      };
    });
    const wanted = inDoubt.filter((award) => award !== null);
    if (wanted.length === 0) return [...judged];
    const entries = await world.members.readEntries(wanted);
    return judged.map((verdict, index) => {
      const award = inDoubt[index];
      if (!award || !entries.get(memberIdOf(award))?.has(award.key)) return verdict;
      return { platformId: award.platformId, amount: award.amount };
    });
  }
}

/** Batches that are not done, as last counted, and those that this process has accepted since. */
type Unfinished = { total: number; ofClan: Map<string, number> };

function unfinishedOf(counts: ReadonlyMap<string, number>): Unfinished {
  return { total: [...counts.values()].reduce((sum, count) => sum + count, 0), ofClan: new Map(counts) };
}

function noteAccepted(unfinished: Unfinished, clanId: string): void {
  unfinished.total += 1;
  unfinished.ofClan.set(clanId, (unfinished.ofClan.get(clanId) ?? 0) + 1);
}

/** Why no further batch of the clan is accepted now, or null. */
function fullness(unfinished: Unfinished | undefined, clanId: string): string | null {
  if (!unfinished) return null;
  const ofClan = unfinished.ofClan.get(clanId) ?? 0;
  if (ofClan >= BATCHES_UNFINISHED_PER_CLAN_MAX) {
    return `This clan has ${ofClan} unfinished batches, as many as one clan may have. This batch was not accepted. Retry when some of them are done.`;
  }
  if (unfinished.total < BATCHES_UNFINISHED_MAX) return null;
  return "The service has too many unfinished batches. This batch was not accepted. Retry shortly.";
}

/** What a key stands for already, asked for again with awards of this fingerprint. */
function repeatOf(bound: Batch, fingerprint: string): { batch: Batch; replayed: true } {
  if (bound.fingerprint === fingerprint) return { batch: bound, replayed: true };
  throw new AppError(
    "idempotency_key_reused",
    "This Idempotency-Key was already used for other awards of this clan. Nothing was applied: send the new awards under a new key.",
  );
}
