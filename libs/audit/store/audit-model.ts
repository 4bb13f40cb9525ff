// The collection of audit records: its documents, and its indexes, each with the query that needs it.
import { Schema } from "mongoose";
import { defineModel } from "#mongo/define-model.ts";
import type { Actor, AuditAction } from "#domain/audit.ts";
import { SCHEMA_OPTIONS } from "#mongo/schema-options.ts";

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

const auditSchema = new Schema<AuditDoc>(
  {
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    via: { type: String, required: true },
    action: { type: String, required: true },
    clanId: String,
    target: { type: String, required: true },
    targetName: String,
    before: Schema.Types.Mixed,
    after: Schema.Types.Mixed,
  },
  SCHEMA_OPTIONS,
);
// The list, newest first, as a whole and with each of its filters.
auditSchema.index({ at: -1, _id: -1 });
auditSchema.index({ clanId: 1, at: -1, _id: -1 });
auditSchema.index({ actor: 1, at: -1, _id: -1 });
auditSchema.index({ action: 1, at: -1, _id: -1 });
// The list of one clan, filtered by an actor or by an action, and the actors of the clan.
auditSchema.index({ clanId: 1, actor: 1, at: -1, _id: -1 });
auditSchema.index({ clanId: 1, action: 1, at: -1, _id: -1 });

export const auditModel = defineModel<AuditDoc>("audit", auditSchema, "audit");
