// What a change of the audit log changed, field by field: values before and after it, and only those that differ.
import { fieldOf, fieldText, flat, type DescribedRecord } from "#contract/dashboard/audit-fields.ts";
import { isRankList, rankChanges, rankText, type RecordedRank } from "#contract/dashboard/audit-ranks.ts";

/** Null: there was, or is, nothing. */
export type AuditDetail = { label: string; before: string | null; after: string | null };

export function auditDetails(record: DescribedRecord): AuditDetail[] {
  const [before, after] = [flat(record.before), flat(record.after)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const details = names.flatMap((name) => detailsOf(name, before[name], after[name]));
  const { reason = null } = record.reversal ?? {};
  return [...details, ...(reason === null ? [] : [{ label: "Reason", before: null, after: reason }])];
}

/** As one line: `Maximum XP: none -> 5,000; XP per day: 500`. */
export function detailsText(record: DescribedRecord): string {
  return auditDetails(record)
    .map(({ label, before, after }) => `${label}: ${before === null ? "" : `${before} -> `}${after ?? "none"}`)
    .join("; ");
}

function detailsOf(name: string, earlier: unknown, later: unknown): AuditDetail[] {
  if (name === "ranks" && (isRankList(earlier) || isRankList(later))) return rankDetails(earlier, later);
  const field = fieldOf(name);
  if (!field) return [];
  const [before, after] = [fieldText(name, earlier), fieldText(name, later)];
  return before === after ? [] : [{ label: field.label, before, after }];
}

function rankDetails(earlier: unknown, later: unknown): AuditDetail[] {
  const changes = rankChanges(isRankList(earlier) ? earlier : [], isRankList(later) ? later : []);
  return changes.map(({ before, after }) => {
    const isRenamed = before !== null && after !== null && before.name !== after.name;
    const text = (rank: RecordedRank | null): string | null =>
      rank && (isRenamed ? `${rank.name}, ${rankText(rank)}` : rankText(rank));
    return { label: `Rank ${(after ?? before)?.name ?? ""}`, before: text(before), after: text(after) };
  });
}
