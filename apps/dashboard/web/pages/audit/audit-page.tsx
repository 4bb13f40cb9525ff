// The audit log of the clan: each change as a sentence, with its details on demand.
import { useDeferredValue, useState } from "react";
import { actionText } from "#contract/dashboard/audit-text.ts";
import type { AuditRecordFacts } from "#contract/dashboard/audit.ts";
import { auditActions } from "#domain/audit.ts";
import { usePages } from "../../api/use-pages.ts";
import { DownloadLink } from "../../parts/download-link.tsx";
import { Page } from "../../parts/page.tsx";
import { Paged } from "../../parts/paged.tsx";
import { Empty } from "../../parts/states.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { FilterFields } from "./filter-fields.tsx";
import { NO_FILTER, queryOf } from "./filter.ts";
import { RecordTable } from "./record-table.tsx";

const REFRESH_MS = 10_000;

/** Changes of the queue, and of a person's own account, are not in a clan's log. */
const actionsOfClan = auditActions
  .filter((action) => !/^(?:queue|password|passkey|identity|session)\./.test(action))
  .map((action) => [action, actionText(action)] as const);

export function AuditPage() {
  const { clanId } = useClan();
  const [filter, setFilter] = useState(NO_FILTER);
  const { query, fault } = useDeferredValue(queryOf(filter));
  return (
    <Page
      title="Audit log"
      actions={
        <DownloadLink endpoint="export-audit" params={{ clanId }} query={query}>
          Export CSV
        </DownloadLink>
      }
    >
      <p className="mb-5 max-w-prose text-muted">
        Every change that a person made, in the dashboard or on the command line, newest first. Awards of game servers
        are in the ledger of each member. Secrets are never in the log.
      </p>
      <FilterFields clanId={clanId} actions={actionsOfClan} filter={filter} fault={fault} onChange={setFilter} />
      <Records clanId={clanId} query={query} />
    </Page>
  );
}

function Records({ clanId, query }: { clanId: string; query: ReturnType<typeof queryOf>["query"] }) {
  const list = usePages("list-audit", { params: { clanId }, query }, { refetchMs: REFRESH_MS });
  const rows = keyed(list.data?.pages.flatMap((page) => page.records) ?? []);
  return (
    <Paged
      list={list}
      what="the audit log"
      empty={
        <Empty title="No changes found.">
          No record of the clan matches these filters.
          {query.actor === undefined ? null : " Who takes a whole name, such as one that it suggests."}
        </Empty>
      }
      more="Show older changes"
      isEmpty={rows.length === 0}
    >
      <RecordTable clanId={clanId} rows={rows} />
    </Paged>
  );
}

/** Records have no id; a number distinguishes records of the same time. */
function keyed(records: readonly AuditRecordFacts[]): { key: string; record: AuditRecordFacts }[] {
  const seen = new Map<string, number>();
  return records.map((record) => {
    const name = `${record.at} ${record.action} ${record.target}`;
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return { key: `${name} ${times}`, record };
  });
}
