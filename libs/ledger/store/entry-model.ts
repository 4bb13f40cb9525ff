// The ledger: its documents, their conversion, and its indexes, each with the query that needs it.
import type { AwardSource, ChangeKind } from "#domain/award.ts";
import type { AppliedBoost } from "#domain/boost.ts";
import type { DayGains } from "#domain/daily-cap.ts";
import type { Entry } from "#domain/entry.ts";
import { headAfter, lastAwardAtOf, type Head } from "#domain/head.ts";
import { bigintOf } from "#mongo/bigint-of.ts";
import { index } from "#mongo/collection.ts";

/** An absent field means: no next rank, no rank reached, no membership created, no caller's fingerprint. */
export type EntryDoc = {
  _id: { clanId: string; platformId: string; seq: number };
  key: string;
  fingerprint?: string;
  amount: bigint;
  applied: bigint;
  boost?: AppliedBoost;
  limitedByDay?: true;
  xp: bigint;
  rank: string;
  previousRank: string;
  nextRank?: string;
  xpToNextRank?: bigint;
  ranksPassed?: readonly string[];
  membershipCreated?: true;
  reason?: string;
  source?: AwardSource;
  apiKeyId: string;
  actor?: string;
  /**
   * The actor of a reversal or a reset. The indexes of the audit log, which has one record for all its entries, omit
   * it.
   */
  reversalActor?: string;
  batchId?: string;
  kind?: ChangeKind;
  reversesSeq?: number;
  memberSince?: Date | null;
  appointedRank?: string;
  removed?: true;
  gains?: DayGains;
  lastAwardAt?: Date | null;
  importName?: string;
  silent?: true;
  /**
   * The member is being erased: the entry that closes the chain (erase-chain), and all entries before it. They exist
   * only while the erasure is in progress.
   */
  erasing?: true;
  /** Its events have no numbers yet: 1 for those about changes, 2 also for the one about the entry itself. */
  ev?: 1 | 2;
  /** Increases whenever the erasure deletes entries before it. */
  touched?: number;
  at: Date;
};

export const UNNUMBERED_ORDER = { "_id.clanId": 1, "_id.platformId": 1, "_id.seq": 1 } as const;
export const BY_KEY = { "_id.clanId": 1, "_id.platformId": 1, key: 1 } as const;
export const BY_TIME = { "_id.clanId": 1, at: 1 } as const;
const OF_PEOPLE = { partialFilterExpression: { actor: { $exists: true } } };
export const BY_ACTOR = { "_id.clanId": 1, actor: 1, at: -1, _id: -1 } as const;

/** 110 instead of 250 bytes on disk for each entry (docs/how-to/scale.md). */
const ZSTD = { storageEngine: { wiredTiger: { configString: "block_compressor=zstd" } } } as const;

export const LEDGER = {
  name: "ledger",
  options: { ...ZSTD, indexOptionDefaults: ZSTD },
  indexes: [
    // Ensures that an award is applied once: one entry per key of a member.
    index(BY_KEY, { unique: true }),
    // A clan's entries by time: activity, corrections, and the projection for a crashed process.
    index(BY_TIME),
    // Changes of members by an actor, for the audit log: of all clans, and of one. Awards by API keys are not included.
    // Those of imports are apart, and there may be a million of them: an import has one record.
    index({ importName: 1, at: -1, _id: -1 }, OF_PEOPLE),
    index({ "_id.clanId": 1, importName: 1, at: -1, _id: -1 }, OF_PEOPLE),
    // Those of one actor in a clan, for the list of awards, and the actors of the clan.
    index(BY_ACTOR, OF_PEOPLE),
    // The entries of a batch, for reconcile; entries of single awards are not included.
    index({ batchId: 1 }, { partialFilterExpression: { batchId: { $exists: true } } }),
    // Entries whose events have no numbers yet. In this order a reader meets a member's entries by seq, which keeps the
    // order of their events (libs/events/number-events.ts).
    index(UNNUMBERED_ORDER, { partialFilterExpression: { ev: { $exists: true } } }),
    // Reasons of reversals, which an erasure searches for the member's platform ID.
    index({ reason: 1 }, { partialFilterExpression: { kind: "reversal", reason: { $gt: "" } } }),
    // The same for resets.
    index({ kind: 1, reason: 1 }, { partialFilterExpression: { kind: "reset", reason: { $gt: "" } } }),
  ],
};

/** One audit record describes all entries of a reversal or a reset. */
function isCorrection({ kind }: Pick<Entry, "kind">): boolean {
  return kind === "reversal" || kind === "reset";
}

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
  if (entry.boost !== undefined) doc.boost = entry.boost;
  if (entry.limitedByDay) doc.limitedByDay = true;
  if (entry.fingerprint !== "") doc.fingerprint = entry.fingerprint;
  if (entry.nextRank !== null) doc.nextRank = entry.nextRank;
  if (entry.xpToNextRank !== null) doc.xpToNextRank = entry.xpToNextRank;
  if (entry.ranksPassed !== undefined) doc.ranksPassed = entry.ranksPassed;
  if (entry.membershipCreated) doc.membershipCreated = true;
  if (entry.reason !== undefined) doc.reason = entry.reason;
  if (entry.source !== undefined) doc.source = entry.source;
  if (entry.actor !== undefined) doc[isCorrection(entry) ? "reversalActor" : "actor"] = entry.actor;
  if (entry.batchId !== undefined) doc.batchId = entry.batchId;
  if (entry.kind !== undefined) doc.kind = entry.kind;
  if (entry.reversesSeq !== undefined) doc.reversesSeq = entry.reversesSeq;
  // Null means that there is no membership. Absent means that version 0.1.0 wrote the entry, which did not store it.
  if (entry.memberSince !== undefined) doc.memberSince = entry.memberSince;
  if (entry.appointedRank !== undefined) doc.appointedRank = entry.appointedRank;
  if (entry.removed) doc.removed = true;
  if (entry.gains !== undefined) doc.gains = entry.gains;
  if (entry.lastAwardAt !== undefined) doc.lastAwardAt = entry.lastAwardAt;
  if (entry.importName !== undefined) doc.importName = entry.importName;
  if (entry.silent) doc.silent = true;
  if (entry.announced !== undefined) doc.ev = entry.announced === "all" ? 2 : 1;
  return doc;
}

export function entryOfDoc(doc: EntryDoc): Entry {
  const actor = doc.actor ?? doc.reversalActor;
  return {
    clanId: doc._id.clanId,
    platformId: doc._id.platformId,
    seq: doc._id.seq,
    key: doc.key,
    fingerprint: doc.fingerprint ?? "",
    amount: doc.amount,
    applied: doc.applied,
    ...(doc.boost === undefined ? {} : { boost: doc.boost }),
    ...(doc.limitedByDay ? { limitedByDay: doc.limitedByDay } : {}),
    xp: doc.xp,
    rank: doc.rank,
    previousRank: doc.previousRank,
    nextRank: doc.nextRank ?? null,
    xpToNextRank: doc.xpToNextRank ?? null,
    ...(doc.ranksPassed === undefined ? {} : { ranksPassed: doc.ranksPassed }),
    membershipCreated: doc.membershipCreated ?? false,
    ...(doc.reason === undefined ? {} : { reason: doc.reason }),
    ...(doc.source === undefined ? {} : { source: doc.source }),
    apiKeyId: doc.apiKeyId,
    ...(actor === undefined ? {} : { actor }),
    ...(doc.batchId === undefined ? {} : { batchId: doc.batchId }),
    ...(doc.kind === undefined ? {} : { kind: doc.kind }),
    ...(doc.reversesSeq === undefined ? {} : { reversesSeq: doc.reversesSeq }),
    ...(doc.memberSince === undefined ? {} : { memberSince: doc.memberSince }),
    ...(doc.appointedRank === undefined ? {} : { appointedRank: doc.appointedRank }),
    ...(doc.removed ? { removed: doc.removed } : {}),
    ...(doc.gains === undefined ? {} : { gains: doc.gains }),
    ...(doc.lastAwardAt === undefined ? {} : { lastAwardAt: doc.lastAwardAt }),
    ...(doc.importName === undefined ? {} : { importName: doc.importName }),
    ...(doc.silent ? { silent: doc.silent } : {}),
    at: doc.at,
  };
}

/** The fields of an entry that a head needs. */
export type HeadOfEntryDoc = Pick<
  EntryDoc,
  | "_id"
  | "xp"
  | "memberSince"
  | "appointedRank"
  | "removed"
  | "gains"
  | "at"
  | "lastAwardAt"
  | "kind"
  | "actor"
  | "erasing"
>;

/**
 * The head after an entry. An entry of an older version does not contain all of it: then the membership of `before`
 * applies, and its last award if no award can be between the two.
 */
export function headOfEntryDoc({ erasing, ...doc }: HeadOfEntryDoc, before: () => Head): Head {
  const [xp, { seq }] = [bigintOf(doc.xp), doc._id];
  const own = lastAwardAtOf(doc);
  const lastAwardAt = own === undefined ? lastAwardBefore(seq, before) : own;
  const { lastAwardAt: _, ...head } = headAfter({ ...doc, xp, seq }) ?? { ...before(), xp, seq };
  return { ...head, ...(lastAwardAt === undefined ? {} : { lastAwardAt }), ...(erasing ? { erasing } : {}) };
}

function lastAwardBefore(seq: number, before: () => Head): Date | null | undefined {
  const head = before();
  return head.seq === seq || head.seq === seq - 1 ? head.lastAwardAt : undefined;
}
