// The collection of audit records: its documents, and its indexes, each with the query that needs it.
import { index } from "#mongo/collection.ts";
import type { Actor, AuditAction } from "#domain/audit.ts";

/** `before` and `after`: the fields that differ, as JSON. */
export type AuditDoc = Actor & {
  at: Date;
  action: AuditAction;
  clanId: string | null;
  target: string;
  targetName?: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

export const AUDIT = {
  name: "audit",
  indexes: [
    // The list, newest first, as a whole and with each of its filters.
    index({ at: -1, _id: -1 }),
    index({ clanId: 1, at: -1, _id: -1 }),
    index({ actor: 1, at: -1, _id: -1 }),
    index({ action: 1, at: -1, _id: -1 }),
    // The list of one clan, filtered by an actor or by an action, and the actors of the clan.
    index({ clanId: 1, actor: 1, at: -1, _id: -1 }),
    index({ clanId: 1, action: 1, at: -1, _id: -1 }),
  ],
};
