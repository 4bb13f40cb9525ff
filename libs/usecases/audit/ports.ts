// What reading and writing the audit log needs from the outside.
import type { Actor, AuditAction } from "#domain/audit.ts";
import type { EventBody } from "#domain/event.ts";
import type { Page } from "#domain/page.ts";

/**
 * The effect of a change. `before` and `after` contain the data that an operator may see, never a secret; null if
 * nothing existed before or after it.
 */
export type Change = {
  action: AuditAction;
  clanId: string | null;
  target: string;
  before: object | null;
  after: object | null;
  /** What the clan's readers of events receive of it. */
  event?: EventBody;
};

/** `before` and `after` hold the fields that differ, as JSON. */
export type AuditRecord = Omit<Change, "event"> & Actor & { at: Date };

/** Null means any. `from` is inclusive, `to` exclusive. */
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
  /** Newest first, including the changes of members that an actor made. */
  list(
    filter: AuditFilter,
    page: { limit: number; after: AuditPosition | null },
  ): Promise<Page<AuditRecord, AuditPosition>>;
  /**
   * Writes the record of a change that MongoDB cannot commit together with it. Call it before the change. Throws as the
   * other changes do.
   */
  note(by: Actor, change: Change): Promise<void>;
};
