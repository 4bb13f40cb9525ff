// What the fields above the audit log contain, as chips and as the query that they make.
import { actionText } from "#contract/dashboard/audit-text.ts";
import type { AuditAction } from "#domain/audit.ts";
import type { FilterChip } from "../../parts/filter-chips.tsx";
import { localMinuteText, spanBetween } from "../../parts/local-time.ts";

/** `from` and `to` as fields of the type datetime-local have them; empty: no bound. */
export type Filter = { who: string; what: AuditAction | null; from: string; to: string };

export const NO_FILTER: Filter = { who: "", what: null, from: "", to: "" };

export function chipsOf(filter: Filter, onChange: (filter: Filter) => void): FilterChip[] {
  const { who, what, from, to } = filter;
  return [
    who.trim() === "" ? [] : { name: "Who", value: who, onRemove: () => onChange({ ...filter, who: "" }) },
    what === null ? [] : { name: "What", value: actionText(what), onRemove: () => onChange({ ...filter, what: null }) },
    from === ""
      ? []
      : { name: "From", value: localMinuteText(from), onRemove: () => onChange({ ...filter, from: "" }) },
    to === "" ? [] : { name: "To", value: localMinuteText(to), onRemove: () => onChange({ ...filter, to: "" }) },
  ].flat();
}

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
