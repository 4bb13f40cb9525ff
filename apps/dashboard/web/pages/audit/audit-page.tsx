// The audit log of the clan: each change with its actor, and the values before and after.
import { useDeferredValue, useState } from "react";
import { ACTOR_CHARS_MAX, auditActions, type AuditAction } from "#domain/audit.ts";
import type { AuditRecordFacts } from "#contract/dashboard/audit.ts";
import { usePages } from "../../api/use-pages.ts";
import { Aside } from "../../parts/aside.tsx";
import type { Column } from "../../parts/data-table.tsx";
import { Name } from "../../parts/name.tsx";
import { Page } from "../../parts/page.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { SelectField } from "../../parts/select-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { Time } from "../../parts/time.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { FactList } from "./fact-list.tsx";

const REFRESH_MS = 10_000;

type Filter = { actor?: string; action?: AuditAction };

/** Changes of the queue, and of a person's own account, are not in a clan's log. */
const actionsOfClan = auditActions.filter((action) => !/^(?:queue|password|passkey|identity)\./.test(action));

export function AuditPage() {
  const { clanId } = useClan();
  const [typed, setTyped] = useState("");
  const [action, setAction] = useState<AuditAction | null>(null);
  const actor = useDeferredValue(typed.trim());
  const filter: Filter = { ...(actor === "" ? {} : { actor }), ...(action === null ? {} : { action }) };
  return (
    <Page title="Audit log">
      <p className="mb-5 max-w-prose text-muted">
        Every change that a person made, in the dashboard or on the command line, newest first. Awards of game servers
        are in the ledger of each member. Secrets are never in the log.
      </p>
      <div className="mb-5 grid gap-4 sm:max-w-xl sm:grid-cols-2">
        <TextField
          label="Who"
          hint="The whole name."
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={ACTOR_CHARS_MAX}
          spellCheck={false}
        />
        <SelectField
          label="Action"
          options={[["", "All"], ...actionsOfClan.map((one) => [one, one] as const)]}
          value={action ?? ""}
          onChange={(event) => setAction(actionsOfClan.find((one) => one === event.target.value) ?? null)}
        />
      </div>
      <Records clanId={clanId} filter={filter} />
    </Page>
  );
}

function Records({ clanId, filter }: { clanId: string; filter: Filter }) {
  const list = usePages("list-audit", { params: { clanId }, query: filter }, { refetchMs: REFRESH_MS });
  return (
    <PagedTable
      list={list}
      what="the audit log"
      label="Audit log"
      columns={columns}
      rows={keyed(list.data?.pages.flatMap((page) => page.records) ?? [])}
      keyOf={({ key }) => key}
      empty={<Empty title="No changes found.">No record of the clan matches these filters.</Empty>}
      more="Show older changes"
    />
  );
}

type Row = { key: string; record: AuditRecordFacts };

/** Records have no id; a number distinguishes records of the same time. */
function keyed(records: readonly AuditRecordFacts[]): Row[] {
  const seen = new Map<string, number>();
  return records.map((record) => {
    const name = `${record.at} ${record.action} ${record.target}`;
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return { key: `${name} ${times}`, record };
  });
}

const columns: Column<Row>[] = [
  { header: "When", line: 2, cell: ({ record }) => <Time at={record.at} /> },
  {
    header: "Who",
    line: 2,
    cell: ({ record: { actor, via } }) => (
      <>
        <Name>{actor}</Name>
        <Aside>{viaTexts[via]}</Aside>
      </>
    ),
  },
  { header: "Action", line: 1, cell: ({ record }) => <span className="whitespace-nowrap">{record.action}</span> },
  { header: "Target", line: 1, cell: ({ record }) => <Name>{record.target}</Name> },
  { header: "Before", line: null, cell: ({ record }) => <FactList facts={record.before} /> },
  { header: "After", line: null, cell: ({ record }) => <FactList facts={record.after} /> },
];

const viaTexts: Record<AuditRecordFacts["via"], string> = { cli: "command line", dashboard: "dashboard" };
