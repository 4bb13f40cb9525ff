// What reading and keeping the audit log needs from the outside.
import type { Actor, AuditAction } from "#domain/audit.ts";
import type { Page } from "#usecases/members/ports.ts";

/**
 * What a change did. `before` and `after` hold what an operator may see, never a secret; null: there was, or is,
 * nothing.
 */
export type Change = {
  action: AuditAction;
  clanId: string | null;
  target: string;
  before: object | null;
  after: object | null;
};

/** `before` and `after` hold the fields that differ, as JSON has them. */
export type AuditRecord = Change & Actor & { at: Date };

/** Null: any. `from` is included, `to` is not. */
export type AuditFilter = {
  clanId: string | null;
  actor: string | null;
  action: AuditAction | null;
  from: Date | null;
  to: Date | null;
};

/** The last record of a page. */
export type AuditPosition = { at: Date; id: string };

export type AuditStore = {
  /** Newest first, with the changes of members that an actor made. */
  list(
    filter: AuditFilter,
    page: { limit: number; after: AuditPosition | null },
  ): Promise<Page<AuditRecord, AuditPosition>>;
  /**
   * Keeps the record of a change that MongoDB cannot commit with it. Call it before the change. Throws as the other
   * changes do.
   */
  note(by: Actor, change: Change): Promise<void>;
};
