// The collection of hooks for Roblox's erasure requests: its documents, and its index, with the query that needs it.
import type { AuditAction } from "#domain/audit.ts";
import type { ErasureHook } from "#domain/erasure-hook.ts";
import { index } from "#mongo/collection.ts";

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

export const HOOKS = {
  name: "hooks",
  indexes: [
    // The hooks of a clan, which are few, and their deletion with it.
    index({ clanIds: 1 }),
  ],
};

/** Also what the audit log has of it. */
export function hookOfDoc({ _id, clanIds, games, createdAt, createdBy }: HookDoc): ErasureHook {
  return { hookId: _id, clanIds, games, createdAt, createdBy };
}

/** One audit record for each of its clans, so that each clan's log has it. */
export function changesOf(action: AuditAction, { _id, clanIds }: Pick<HookDoc, "_id" | "clanIds">) {
  return (clanIds ?? [null]).map((clanId) => ({ action, clanId, target: _id }));
}
