// The rows of an export of the audit log, the newest first, read in pages.
import { detailsText } from "#contract/dashboard/audit-details.ts";
import { auditSentence } from "#contract/dashboard/audit-text.ts";
import type { Row } from "#export/export-rows.ts";
import type { AuditFilter, AuditPosition, AuditStore, ListedRecord } from "#audit/ports.ts";

/** A record has up to some kilobytes if a clan has many ranks. */
const RECORDS_PER_PAGE = 200;

/** Throws AppError `unavailable`. */
export async function* auditRows(audit: Pick<AuditStore, "list">, filter: AuditFilter): AsyncGenerator<Row[]> {
  for (let after: AuditPosition | null = null; ;) {
    const { items, next }: Awaited<ReturnType<AuditStore["list"]>> = await audit.list(filter, {
      limit: RECORDS_PER_PAGE,
      after,
    });
    yield items.map(auditRow);
    if (!next) return;
    after = next;
  }
}

function auditRow(record: ListedRecord): Row {
  const { at, actor, via, action, target } = record;
  const [change, details] = [auditSentence(record), detailsText(record)];
  return { at: at.toISOString(), actor, via, action, target, change, details };
}
