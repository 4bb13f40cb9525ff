// The collection of hooks for Roblox's erasure requests: its documents, and its index, with the query that needs it.
import { Schema, type Connection, type Model } from "mongoose";
import type { ErasureHook } from "#domain/erasure-hook.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

/**
 * `clanId` null: of every clan. `sealed`: the secret; a removed hook has none, and stays for its requests. `turns`: the
 * requests of the last hour that erased somebody.
 */
export type HookDoc = {
  _id: string;
  clanId: string | null;
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
    clanId: String,
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
hookSchema.index({ clanId: 1 });

export function makeHookModel(connection: Connection): Model<HookDoc> {
  return connection.model<HookDoc>("hook", hookSchema, "hooks");
}

/** Also what the audit log has of it. */
export function hookOfDoc({ _id, clanId, games, createdAt, createdBy }: HookDoc): ErasureHook {
  return { hookId: _id, clanId, games, createdAt, createdBy };
}
