// What the fields above the audit log contain, and the query that they make.
import type { AuditAction } from "#domain/audit.ts";
import { timestampOf } from "../../parts/local-time.ts";

/** `from` and `to` as fields of the type datetime-local have them; empty: no bound. */
export type Filter = { who: string; what: AuditAction | null; from: string; to: string };

export const NO_FILTER: Filter = { who: "", what: null, from: "", to: "" };

export type AuditQuery = { actor?: string; action?: AuditAction; from?: string; to?: string };

/** `fault`: of the field To, which is then not in the query. */
export function queryOf({ who, what, from, to }: Filter): { query: AuditQuery; fault: string | undefined } {
  const actor = who.trim();
  const [begin, end] = [from, to].map((text) => (text === "" ? null : timestampOf(text)));
  const isBackward = begin && end ? begin >= end : false;
  return {
    query: {
      ...(actor === "" ? {} : { actor }),
      ...(what === null ? {} : { action: what }),
      ...(begin ? { from: begin } : {}),
      ...(end && !isBackward ? { to: end } : {}),
    },
    fault: isBackward ? "must be later than From" : undefined,
  };
}
