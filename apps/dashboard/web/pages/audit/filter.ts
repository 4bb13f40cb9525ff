// What the fields above the audit log contain, and the query that they make.
import type { AuditAction } from "#domain/audit.ts";
import { spanBetween } from "../../parts/local-time.ts";

/** `from` and `to` as fields of the type datetime-local have them; empty: no bound. */
export type Filter = { who: string; what: AuditAction | null; from: string; to: string };

export const NO_FILTER: Filter = { who: "", what: null, from: "", to: "" };

export type AuditQuery = { actor?: string; action?: AuditAction; from?: string; to?: string };

/** `fault`: of the field To, which is then not in the query. */
export function queryOf({ who, what, from, to }: Filter): { query: AuditQuery; fault: string | undefined } {
  const actor = who.trim();
  const { span, fault } = spanBetween({ from, to });
  return {
    query: {
      ...(actor === "" ? {} : { actor }),
      ...(what === null ? {} : { action: what }),
      ...span,
    },
    fault,
  };
}
