// Unfinished batches, reversals and resets, the oldest first, each with its job.
import { useState } from "react";
import type { QueuedWork as Work } from "#contract/dashboard/queue.ts";
import { Aside } from "../../parts/aside.tsx";
import { BatchLink, TextLink } from "../../parts/links.tsx";
import { Button } from "../../parts/button.tsx";
import { Count } from "../../parts/count.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Pill, type Look } from "../../parts/toned.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { CancelBatchDialog } from "../batches/cancel-batch-dialog.tsx";

export function QueuedWork({ work, isWhole }: { work: readonly Work[]; isWhole: boolean }) {
  const [cancelled, setCancelled] = useState<Work | null>(null);
  if (work.length === 0 && cancelled === null) return <Empty title="Nothing is waiting." />;
  return (
    <>
      <DataTable
        label="Unfinished work"
        columns={columns}
        rows={work}
        keyOf={({ id }) => id}
        actionsOf={(one) =>
          one.kind === "batch" ? (
            <Button size="small" kind="warning" onClick={() => setCancelled(one)}>
              Cancel<span className="sr-only"> {one.id}</span>
            </Button>
          ) : null
        }
      />
      {isWhole ? null : <p className="mt-3 text-sm text-muted">Only the oldest are listed here.</p>}
      {cancelled ? (
        <CancelBatchDialog
          params={{ clanId: cancelled.clanId, batchId: cancelled.id }}
          onClose={() => setCancelled(null)}
        />
      ) : null}
    </>
  );
}

const columns: Column<Work>[] = [
  { header: "Work", line: 1, cell: (work) => <Name work={work} /> },
  { header: "Kind", line: null, cell: ({ kind }) => kindTexts[kind] },
  {
    header: "Clan",
    line: 2,
    cell: ({ clanId }) => <TextLink to={`/clans/${encodeURIComponent(clanId)}/overview`}>{clanId}</TextLink>,
  },
  { header: "Awards", line: null, isNumber: true, cell: ({ awards }) => <Count of={awards} none="" /> },
  { header: "Accepted", line: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: "Job", line: 1, cell: (work) => <Job work={work} /> },
  { header: "Attempts", line: null, isNumber: true, cell: ({ job }) => job?.attempts ?? "" },
];

function Name({ work: { id, kind, clanId } }: { work: Work }) {
  if (kind === "batch") return <BatchLink clanId={clanId} batchId={id} />;
  return <CopyId id={id} what={`${kind} ID`} />;
}

const kindTexts = { batch: "Batch", reversal: "Reversal", reset: "Reset" } as const;

type State = NonNullable<Work["job"]>["state"];
const looks: Record<State, Look> = {
  waiting: { text: "Waiting", tone: "plain", title: "It waits for a worker." },
  active: { text: "Active", tone: "good", title: "A worker runs it." },
  delayed: { text: "To be retried", tone: "warn", title: "It failed and is retried automatically." },
  failed: { text: "Failed", tone: "danger", title: "The recovery scan, or Retry, retries it." },
  missing: { text: "No job", tone: "warn", title: "Redis lost it. The recovery scan, or Retry, queues it again." },
};

function Job({ work: { job, status } }: { work: Work }) {
  if (job === null) return <span className="text-muted">unknown, {status}</span>;
  return (
    <>
      <Pill look={looks[job.state]} />
      {job.error === null ? null : <Aside>{job.error}</Aside>}
    </>
  );
}
