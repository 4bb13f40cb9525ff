// The collections: their documents, and their indexes, each with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { RankKind } from "#domain/rank.ts";
import type { AwardSource, ChangeKind } from "#domain/award.ts";
import { makeReversalModel, type ReversalDoc } from "#store/reversals/reversal-model.ts";
import type { Key } from "#domain/key.ts";
import type { Actor, AuditAction } from "#domain/audit.ts";
import { makeAccountModels, type AccountModels } from "#store/accounts/account-models.ts";
import { makeBatchModel, type BatchDoc } from "#store/batches/batch-model.ts";
import { makeErasureModel, type ErasureDoc } from "#store/erasure/erasure-model.ts";

export type ClanDoc = {
  _id: string;
  name: string;
  autoClan: boolean;
  ranks: { id?: string; name: string; kind: RankKind; threshold?: bigint }[];
  xpFloor: bigint | null;
  xpCap: bigint;
  amountMax: bigint;
  createdAt: Date;
  /** Increases with each change of the clan or its keys, so that concurrent changes conflict. */
  rev: number;
};

export type KeyDoc = { _id: string } & Omit<Key, "keyId">;

export type MemberDoc = {
  _id: string;
  clanId: string;
  platformId: string;
  xp: bigint;
  seq: number;
  membership: { since: Date } | null;
  appointedRank: string | null;
  removed?: true;
  /** The member is being erased. */
  erasing?: true;
};

/** An absent field means: no next rank, no membership created, no caller's fingerprint. */
export type EntryDoc = {
  _id: { clanId: string; platformId: string; seq: number };
  key: string;
  fingerprint?: string;
  amount: bigint;
  applied: bigint;
  xp: bigint;
  rank: string;
  previousRank: string;
  nextRank?: string;
  xpToNextRank?: bigint;
  membershipCreated?: true;
  reason?: string;
  source?: AwardSource;
  apiKeyId: string;
  actor?: string;
  batchId?: string;
  kind?: ChangeKind;
  reversesSeq?: number;
  memberSince?: Date | null;
  appointedRank?: string;
  removed?: true;
  /**
   * The member is being erased: the entry that closes the chain (erase-chain), and all entries before it. They exist
   * only while the erasure is in progress.
   */
  erasing?: true;
  /** Increases whenever the erasure deletes entries before it. */
  touched?: number;
  at: Date;
};

/** `_id`: key and day. The value is the sum of positive amounts that the key awarded on that day. */
/** `claims`: the newest ones, while they may be retried. */
export type BudgetDoc = {
  _id: string;
  spent: bigint;
  day: Date;
  claims?: { id: string; at: Date; claimId: string }[];
};

/** `before` and `after`: the fields that differ, as JSON. */
export type AuditDoc = Actor & {
  at: Date;
  action: AuditAction;
  clanId: string | null;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export type Models = AccountModels & {
  clans: Model<ClanDoc>;
  keys: Model<KeyDoc>;
  members: Model<MemberDoc>;
  ledger: Model<EntryDoc>;
  batches: Model<BatchDoc>;
  audit: Model<AuditDoc>;
  budgets: Model<BudgetDoc>;
  erasures: Model<ErasureDoc>;
  reversals: Model<ReversalDoc>;
};

// Only this code writes documents, and input is checked at the edge. Schemas define what is stored, and unknown fields
// throw.
const options = { strict: "throw", versionKey: false, autoIndex: false, autoCreate: false, minimize: false } as const;

const clanSchema = new Schema<ClanDoc>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    autoClan: { type: Boolean, required: true },
    ranks: [{ _id: false, id: String, name: String, kind: String, threshold: BigInt }],
    xpFloor: BigInt,
    xpCap: { type: BigInt, required: true },
    amountMax: { type: BigInt, required: true },
    createdAt: { type: Date, required: true },
    rev: { type: Number, required: true },
  },
  options,
);

const keySchema = new Schema<KeyDoc>(
  {
    _id: { type: String, required: true },
    clanId: { type: String, required: true },
    name: { type: String, required: true },
    hash: { type: String, required: true },
    hint: { type: String, required: true },
    scopes: { type: [String], required: true },
    limits: {
      type: new Schema(
        { requestsPerSecond: Number, awardsPerSecond: Number, amountMax: Number, xpPerDay: Number },
        { _id: false },
      ),
      required: true,
    },
    createdAt: { type: Date, required: true },
    expiresAt: Date,
    revokedAt: Date,
    replacedBy: String,
    lastUsedAt: Date,
  },
  options,
);
// A clan's keys, for lists and for counting the live ones.
keySchema.index({ clanId: 1 });

const memberSchema = new Schema<MemberDoc>(
  {
    _id: { type: String, required: true },
    clanId: { type: String, required: true },
    platformId: { type: String, required: true },
    xp: { type: BigInt, required: true },
    seq: { type: Number, required: true },
    membership: { type: new Schema({ since: Date }, { _id: false }), default: null },
    appointedRank: String,
    removed: Boolean,
    erasing: Boolean,
  },
  options,
);
// The leaderboard. Members by platformId need no index: `_id` has that order.
memberSchema.index({ clanId: 1, xp: -1, platformId: 1 });

const entrySchema = new Schema<EntryDoc>(
  {
    _id: { type: new Schema({ clanId: String, platformId: String, seq: Number }, { _id: false }), required: true },
    key: { type: String, required: true },
    fingerprint: String,
    amount: { type: BigInt, required: true },
    applied: { type: BigInt, required: true },
    xp: { type: BigInt, required: true },
    rank: { type: String, required: true },
    previousRank: { type: String, required: true },
    nextRank: String,
    xpToNextRank: BigInt,
    membershipCreated: Boolean,
    reason: String,
    source: { type: new Schema({ placeId: String, matchId: String, verified: Boolean }, { _id: false }) },
    apiKeyId: { type: String, required: true },
    actor: String,
    batchId: String,
    kind: String,
    reversesSeq: Number,
    memberSince: Date,
    appointedRank: String,
    removed: Boolean,
    erasing: Boolean,
    at: { type: Date, required: true },
  },
  options,
);
// Ensures that an award is applied once: one entry per key of a member.
entrySchema.index({ "_id.clanId": 1, "_id.platformId": 1, key: 1 }, { unique: true });
// A clan's entries by time: activity, corrections, and the projection for a dead process.
entrySchema.index({ "_id.clanId": 1, at: 1 });
// Changes of members by an actor, for the audit log: of all clans, and of one. Awards by API keys are not included.
entrySchema.index({ at: -1, _id: -1 }, { partialFilterExpression: { actor: { $exists: true } } });
entrySchema.index({ "_id.clanId": 1, at: -1, _id: -1 }, { partialFilterExpression: { actor: { $exists: true } } });
// The entries of a batch, for reconcile; entries of single awards are not included.
entrySchema.index({ batchId: 1 }, { partialFilterExpression: { batchId: { $exists: true } } });
// Reasons of reversals, which an erasure searches for the member's platform ID.
entrySchema.index({ reason: 1 }, { partialFilterExpression: { kind: "reversal", reason: { $gt: "" } } });

const auditSchema = new Schema<AuditDoc>(
  {
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    via: { type: String, required: true },
    action: { type: String, required: true },
    clanId: String,
    target: { type: String, required: true },
    before: Schema.Types.Mixed,
    after: Schema.Types.Mixed,
  },
  options,
);
// The list, newest first, as a whole and with each of its filters.
auditSchema.index({ at: -1, _id: -1 });
auditSchema.index({ clanId: 1, at: -1, _id: -1 });
auditSchema.index({ actor: 1, at: -1, _id: -1 });
auditSchema.index({ action: 1, at: -1, _id: -1 });

const budgetSchema = new Schema<BudgetDoc>(
  {
    _id: { type: String, required: true },
    spent: { type: BigInt, required: true },
    day: { type: Date, required: true },
    claims: { type: [{ _id: false, id: String, at: Date, claimId: String }], default: undefined },
  },
  options,
);
// MongoDB deletes documents that no process can request any more, even if its clock is wrong.
budgetSchema.index({ day: 1 }, { expireAfterSeconds: 7 * 86_400 });

/** The models of one connection; creating them reads and writes nothing. */
export function makeModels(connection: Connection): Models {
  return {
    clans: connection.model<ClanDoc>("clan", clanSchema, "clans"),
    keys: connection.model<KeyDoc>("key", keySchema, "keys"),
    members: connection.model<MemberDoc>("member", memberSchema, "members"),
    ledger: connection.model<EntryDoc>("entry", entrySchema, "ledger"),
    batches: makeBatchModel(connection),
    audit: connection.model<AuditDoc>("audit", auditSchema, "audit"),
    budgets: connection.model<BudgetDoc>("budget", budgetSchema, "budgets"),
    erasures: makeErasureModel(connection),
    ...makeAccountModels(connection),
    reversals: makeReversalModel(connection),
  };
}
