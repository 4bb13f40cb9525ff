// A batch's state, with an explanation.
import type { ListedBatchFacts } from "#contract/dashboard/batches.ts";
import { Pill, type Look } from "../../parts/toned.tsx";

type Status = ListedBatchFacts["status"];
const looks: Record<Status, Look> = {
  queued: { text: "Queued", tone: "warn", title: "It is stored and waits for a worker." },
  running: { text: "Running", tone: "warn", title: "A worker applies its awards." },
  done: { text: "Done", tone: "good", title: "Each award has its result." },
};
const cancelledPill: Look = {
  text: "Cancelled",
  tone: "danger",
  title: "Awards that were not applied yet are rejected.",
};

export function BatchStatus({ batch: { status, cancelled } }: { batch: { status: Status; cancelled: boolean } }) {
  return (
    <span className="inline-flex flex-wrap justify-end gap-1.5 xl:justify-start">
      <Pill look={looks[status]} />
      {cancelled ? <Pill look={cancelledPill} /> : null}
    </span>
  );
}
