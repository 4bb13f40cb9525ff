// The collection of hooks for Roblox's erasure requests: its documents, and its index, with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { AuditAction } from "#domain/audit.ts";
import type { ErasureHook } from "#domain/erasure-hook.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

/**
 * `clanIds` null: every clan. `sealed`: the secret; a removed hook has none, and stays for its requests. `turns`: the
 * requests of the last hour that erased somebody.
 */
export type HookDoc = {
  _id: string;
  clanIds: string[] | null;
  games: string[] | null;
  createdAt: Date;
  createdBy: string;
  sealed?: string;
  removedAt?: Date;
  turns?: { requestId: string; at: Date }[];
};

const hookSchema = new Schema<HookDoc>(
  {
    _id: { type: String, required: true },
    clanIds: Schema.Types.Mixed,
    games: Schema.Types.Mixed,
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
    sealed: String,
    removedAt: Date,
    turns: { type: Schema.Types.Mixed, default: undefined },
  },
  SCHEMA_OPTIONS,
);
// The hooks of a clan, which are few, and their deletion with it.
hookSchema.index({ clanIds: 1 });

export function makeHookModel(connection: Connection): Model<HookDoc> {
  return connection.model<HookDoc>("hook", hookSchema, "hooks");
}

/** Also what the audit log has of it. */
export function hookOfDoc({ _id, clanIds, games, createdAt, createdBy }: HookDoc): ErasureHook {
  return { hookId: _id, clanIds, games, createdAt, createdBy };
}

/** One audit record for each of its clans, so that each clan's log has it. */
export function changesOf(action: AuditAction, { _id, clanIds }: Pick<HookDoc, "_id" | "clanIds">) {
  return (clanIds ?? [null]).map((clanId) => ({ action, clanId, target: _id }));
}
