// A batch's state in a word, with what follows from it on hover.
import type { ListedBatchFacts } from "#contract/dashboard/batches.ts";

type Status = ListedBatchFacts["status"];
const looks: Record<Status, { text: string; className: string; title: string }> = {
  queued: { text: "Queued", className: "bg-warn-soft text-warn-ink", title: "It is stored and waits for a worker." },
  running: { text: "Running", className: "bg-warn-soft text-warn-ink", title: "A worker applies its awards." },
  done: { text: "Done", className: "bg-good-soft text-good-ink", title: "Each award has its result." },
};

export function BatchStatus({ batch }: { batch: { status: Status; cancelled: boolean } }) {
  const { text, className, title } = looks[batch.status];
  return (
    <>
      <span title={title} className={`inline-block rounded-full px-2.5 py-0.5 text-sm font-medium ${className}`}>
        {text}
      </span>
      {batch.cancelled ? (
        <span
          title="Awards that were not applied yet are rejected."
          className="ml-1.5 inline-block rounded-full bg-danger-soft px-2.5 py-0.5 text-sm font-medium text-danger-ink"
        >
          Cancelled
        </span>
      ) : null}
    </>
  );
}
