// Unfinished batches and reversals, the oldest first, each with its job.
import { useState } from "react";
import { Link } from "react-router";
import type { QueuedWork as Work } from "#contract/dashboard/queue.ts";
import { Button } from "../../parts/button.tsx";
import { CopyId } from "../../parts/copy-id.tsx";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { CancelBatchDialog } from "../batches/cancel-batch-dialog.tsx";

export function QueuedWork({ work, isWhole }: { work: readonly Work[]; isWhole: boolean }) {
  const [cancelled, setCancelled] = useState<Work | null>(null);
  if (work.length === 0 && cancelled === null) return <Empty title="Nothing is waiting." />;
  return (
    <>
      <DataTable label="Unfinished work" columns={columnsFor(setCancelled)} rows={work} keyOf={({ id }) => id} />
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

function columnsFor(onCancel: (work: Work) => void): Column<Work>[] {
  return [
    { header: "Work", cell: (work) => <Name work={work} /> },
    { header: "Kind", cell: ({ kind }) => (kind === "batch" ? "Batch" : "Reversal") },
    {
      header: "Clan",
      cell: ({ clanId }) => (
        <Link
          to={`/clans/${encodeURIComponent(clanId)}/overview`}
          className="wrap-anywhere text-accent-ink underline-offset-4 hover:underline"
        >
          {clanId}
        </Link>
      ),
    },
    { header: "Awards", isNumber: true, cell: ({ awards }) => awards ?? "" },
    { header: "Accepted", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { header: "Job", cell: (work) => <Job work={work} /> },
    { header: "Attempts", isNumber: true, cell: ({ job }) => job?.attempts ?? "" },
    {
      header: "Actions",
      isActions: true,
      cell: (work) =>
        work.kind === "batch" ? (
          <Button size="small" kind="warning" onClick={() => onCancel(work)}>
            Cancel<span className="sr-only"> {work.id}</span>
          </Button>
        ) : null,
    },
  ];
}

function Name({ work: { id, kind, clanId } }: { work: Work }) {
  if (kind === "reversal") return <CopyId id={id} what="reversal ID" />;
  return (
    <Link
      to={`/clans/${encodeURIComponent(clanId)}/batches/${encodeURIComponent(id)}`}
      className="font-mono text-sm break-all text-accent-ink underline-offset-4 hover:underline"
    >
      {id}
    </Link>
  );
}

type State = NonNullable<Work["job"]>["state"];
const looks: Record<State, { text: string; className: string; title: string }> = {
  waiting: { text: "Waiting", className: "bg-sunken text-muted", title: "It waits for a worker." },
  active: { text: "Active", className: "bg-good-soft text-good-ink", title: "A worker runs it." },
  delayed: {
    text: "To be retried",
    className: "bg-warn-soft text-warn-ink",
    title: "It failed, and is tried again by itself.",
  },
  failed: {
    text: "Failed",
    className: "bg-danger-soft text-danger-ink",
    title: "It is tried again by the recovery scan, or by Retry.",
  },
  missing: {
    text: "No job",
    className: "bg-warn-soft text-warn-ink",
    title: "Redis lost it. The recovery scan, or Retry, queues it again.",
  },
};

function Job({ work: { job, status } }: { work: Work }) {
  if (job === null) return <span className="text-muted">unknown, {status}</span>;
  const { text, className, title } = looks[job.state];
  return (
    <>
      <span title={title} className={`inline-block rounded-full px-2.5 py-0.5 text-sm font-medium ${className}`}>
        {text}
      </span>
      {job.error === null ? null : <span className="mt-1 block text-sm wrap-anywhere text-muted">{job.error}</span>}
    </>
  );
}
