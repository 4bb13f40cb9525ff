// Converts between the domain's values and their documents. An absent field in a document means "none".
import type { Entry } from "#domain/entry.ts";
import type { Clan } from "#domain/clan.ts";
import type { Rank } from "#domain/rank.ts";
import { KEY_LIMITS_DEFAULT } from "#domain/key-limits.ts";
import { headAfter, type Head } from "#domain/head.ts";
import type { Member } from "#domain/member.ts";
import type { BatchDoc } from "#store/batches/batch-model.ts";
import type { ClanDoc, EntryDoc, KeyDoc, MemberDoc } from "#store/models.ts";
import type { Batch, BatchAward, BatchOutcome } from "#domain/batch.ts";
import type { Key } from "#domain/key.ts";

/**
 * All entries and all members, except those of a member who is being erased.
 */
export const NO_FENCE = { erasing: { $exists: false } } as const;

export function docOfEntry(entry: Entry): EntryDoc {
  const doc: EntryDoc = {
    _id: { clanId: entry.clanId, platformId: entry.platformId, seq: entry.seq },
    key: entry.key,
    amount: entry.amount,
    applied: entry.applied,
    xp: entry.xp,
    rank: entry.rank,
    previousRank: entry.previousRank,
    apiKeyId: entry.apiKeyId,
    at: entry.at,
  };
  if (entry.fingerprint !== "") doc.fingerprint = entry.fingerprint;
  if (entry.nextRank !== null) doc.nextRank = entry.nextRank;
  if (entry.xpToNextRank !== null) doc.xpToNextRank = entry.xpToNextRank;
  if (entry.membershipCreated) doc.membershipCreated = true;
  if (entry.reason !== undefined) doc.reason = entry.reason;
  if (entry.source !== undefined) doc.source = entry.source;
  if (entry.actor !== undefined) doc.actor = entry.actor;
  if (entry.batchId !== undefined) doc.batchId = entry.batchId;
  if (entry.kind !== undefined) doc.kind = entry.kind;
  if (entry.reversesSeq !== undefined) doc.reversesSeq = entry.reversesSeq;
  // Null means that there is no membership. Absent means that version 0.1.0 wrote the entry, which did not store it.
  if (entry.memberSince !== undefined) doc.memberSince = entry.memberSince;
  if (entry.appointedRank !== undefined) doc.appointedRank = entry.appointedRank;
  if (entry.removed) doc.removed = true;
  return doc;
}

export function entryOfDoc(doc: EntryDoc): Entry {
  return {
    clanId: doc._id.clanId,
    platformId: doc._id.platformId,
    seq: doc._id.seq,
    key: doc.key,
    fingerprint: doc.fingerprint ?? "",
    amount: doc.amount,
    applied: doc.applied,
    xp: doc.xp,
    rank: doc.rank,
    previousRank: doc.previousRank,
    nextRank: doc.nextRank ?? null,
    xpToNextRank: doc.xpToNextRank ?? null,
    membershipCreated: doc.membershipCreated ?? false,
    ...(doc.reason === undefined ? {} : { reason: doc.reason }),
    ...(doc.source === undefined ? {} : { source: doc.source }),
    apiKeyId: doc.apiKeyId,
    ...(doc.actor === undefined ? {} : { actor: doc.actor }),
    ...(doc.batchId === undefined ? {} : { batchId: doc.batchId }),
    ...(doc.kind === undefined ? {} : { kind: doc.kind }),
    ...(doc.reversesSeq === undefined ? {} : { reversesSeq: doc.reversesSeq }),
    ...(doc.memberSince === undefined ? {} : { memberSince: doc.memberSince }),
    ...(doc.appointedRank === undefined ? {} : { appointedRank: doc.appointedRank }),
    ...(doc.removed ? { removed: doc.removed } : {}),
    at: doc.at,
  };
}

/** The head after an entry. An entry of version 0.1.0 contains no membership: then that of `before` applies. */
export function headOfEntryDoc(
  { erasing, ...doc }: Pick<EntryDoc, "_id" | "xp" | "memberSince" | "appointedRank" | "removed" | "erasing">,
  before: () => Head,
): Head {
  const [xp, { seq }] = [wholeNumber(doc.xp), doc._id];
  const head = headAfter({ ...doc, xp, seq }) ?? { ...before(), xp, seq };
  return erasing ? { ...head, erasing } : head;
}

/**
 * MongoDB's shell writes doubles: a whole number that was set manually is the same number. Throws if it is not whole.
 */
function wholeNumber(value: bigint | number): bigint {
  return BigInt(value);
}

export function headOfDoc({ xp, seq, membership, appointedRank, removed, erasing }: MemberDoc): Head {
  return {
    xp: wholeNumber(xp),
    seq,
    membership,
    appointedRank,
    ...(removed ? { removed } : {}),
    ...(erasing ? { erasing } : {}),
  };
}

export function memberOfDoc(doc: MemberDoc): Member {
  return { clanId: doc.clanId, platformId: doc.platformId, ...headOfDoc(doc) };
}

export function clanOfDoc(doc: ClanDoc): Clan {
  return {
    clanId: doc._id,
    name: doc.name,
    autoClan: doc.autoClan,
    ranks: doc.ranks.map(rankOfDoc),
    xpFloor: doc.xpFloor === null ? null : wholeNumber(doc.xpFloor),
    xpCap: wholeNumber(doc.xpCap),
    amountMax: Number(doc.amountMax),
  };
}

function rankOfDoc({ id, name, kind, threshold = 0n }: ClanDoc["ranks"][number]): Rank {
  switch (kind) {
    case "NORMAL":
      return { name, kind, threshold: wholeNumber(threshold) };
    case "GUEST":
      return { name, kind };
    case "STAFF":
    case "OWNER":
      return { ...(id === undefined ? {} : { id }), name, kind };
  }
}

export function keyOfDoc({ _id, ...facts }: KeyDoc): Key {
  // A key that is older than the limits has the default ones.
  return { keyId: _id, ...facts, limits: { ...KEY_LIMITS_DEFAULT, ...facts.limits } };
}

export function docOfKey({ keyId, ...facts }: Key): KeyDoc {
  return { _id: keyId, ...facts };
}

export function docOfBatch(batch: Batch): BatchDoc {
  const { batchId, idempotencyKey, awards, outcomes, appliedOnce, cancelled, ...facts } = batch;
  return {
    _id: batchId,
    ...facts,
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
    awards: [...awards],
    awardCount: awards.length,
    ...(cancelled ? { cancelled } : {}),
    outcomes: [...outcomes],
    ...(appliedOnce === null ? {} : { appliedOnce }),
  };
}

export function batchOfDoc(doc: BatchDoc): Batch {
  const { clanId, apiKeyId, fingerprint, state, createdAt, startedAt, finishedAt } = doc;
  return {
    batchId: doc._id,
    clanId,
    apiKeyId,
    idempotencyKey: doc.idempotencyKey ?? null,
    fingerprint,
    awards: (doc.awards ?? []) as BatchAward[],
    state,
    cancelled: doc.cancelled ?? false,
    outcomes: (doc.outcomes ?? []) as BatchOutcome[],
    appliedOnce: doc.appliedOnce ?? null,
    createdAt,
    startedAt,
    finishedAt,
  };
}
