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
  /** What people call the target, if `target` is an id; of a reversal of a key's awards, the name of the key. */
  targetName?: string;
  before: object | null;
  after: object | null;
  /** What the clan's readers of events receive of it. */
  event?: EventBody;
};

/** `before` and `after` hold the fields that differ, as JSON. */
export type AuditRecord = Omit<Change, "event"> & Actor & { at: Date };

/**
 * `reversal`: of the record of one, what its own record has now. `isStored`: whether it still has its details, which
 * an erasure and retention delete. `platformId`: of the member whose awards it selects, if it selects by one. `amount`:
 * the XP that it took back, once it is done.
 */
export type ListedRecord = AuditRecord & {
  reversal?: { reason: string | null; isStored: boolean; platformId: string | null; amount: string | null };
};

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
  ): Promise<Page<ListedRecord, AuditPosition>>;
  /** The first of them, by name: who has changed something in this clan. */
  actors(clanId: string, limit: number): Promise<string[]>;
  /**
   * Writes the record of a change that MongoDB cannot commit together with it. Call it before the change. Throws as the
   * other changes do.
   */
  note(by: Actor, change: Change): Promise<void>;
};
