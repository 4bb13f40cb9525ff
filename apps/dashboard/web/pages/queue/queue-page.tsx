// The queue, for operators: unfinished work, the workers, and the controls of the queue.
import { useMutation } from "@tanstack/react-query";
import type { QueueFacts } from "#contract/dashboard/queue.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Count } from "../../parts/count.tsx";
import { errorText } from "../../parts/error-texts.ts";
import { Fact } from "../../parts/fact.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Note } from "../../parts/toned.tsx";
import { numberText } from "../../parts/numbers.ts";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";
import { QueuedWork } from "./queued-work.tsx";

const REFRESH_MS = 2_000;

export function QueuePage() {
  const queue = useApi("read-queue", {}, { refetchMs: REFRESH_MS });
  return (
    <Page title="Queue" actions={queue.data?.jobs ? <Actions isPaused={queue.data.jobs.paused} /> : null}>
      <p className="mb-5 max-w-prose text-muted">
        Batches and reversals of all clans that are accepted and not done. They are stored in MongoDB; Redis holds their
        jobs, and may lose them: a recovery scan of the workers queues them again.
      </p>
      <Loaded query={queue} what="the queue">
        {(facts) => (
          <>
            <Notes queue={facts} />
            <Counts queue={facts} />
            <h2 className="mt-6 mb-3 text-lg font-semibold">Unfinished work</h2>
            <QueuedWork work={facts.work} isWhole={facts.isWhole} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ isPaused }: { isPaused: boolean }) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  async function setPaused(paused: boolean): Promise<void> {
    await call("pause-queue", { body: { paused } });
    await invalidate("read-queue");
  }
  const onError = (error: Error): void => toast({ title: "The queue was not changed", description: errorText(error) });
  const pause = useMutation({
    mutationFn: setPaused,
    onSuccess(_, paused) {
      toast({
        title: paused ? "Queue paused" : "Queue resumed",
        description: paused ? "Workers finish what they run and start nothing new." : "Workers start waiting batches.",
        undo: undo(() => setPaused(!paused)),
      });
    },
    onError,
  });
  const retry = useMutation({
    mutationFn: () => call("retry-queue"),
    onSuccess({ revived }) {
      const title = revived === 1 ? "1 job queued again" : `${revived} jobs queued again`;
      toast(revived > 0 ? { title } : { title: "Nothing to retry", description: "All unfinished work has its job." });
    },
    onError,
    onSettled: () => invalidate("read-queue"),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        busy={retry.isPending}
        title="Queues everything that has no job, or whose job failed."
        onClick={() => retry.mutate()}
      >
        Retry
      </Button>
      <Button kind={isPaused ? "primary" : "plain"} busy={pause.isPending} onClick={() => pause.mutate(!isPaused)}>
        {isPaused ? "Resume" : "Pause"}
      </Button>
    </div>
  );
}

/** Warnings that are shown above the numbers. */
function Notes({ queue: { jobs, batches, reversals } }: { queue: QueueFacts }) {
  const isWaiting = batches.queued + batches.running + reversals > 0;
  const notes = [
    jobs === null &&
      "Redis does not respond, so the state of the jobs is unknown. Accepted work is stored and not lost.",
    jobs?.paused && "The queue is paused: workers finish what they run and start nothing new.",
    jobs?.workers === 0 && isWaiting && "No worker is connected, so no work is processed.",
  ].filter((note) => typeof note === "string");
  return notes.map((note) => (
    <Note key={note} role="status" tone="warn" className="mb-3">
      {note}
    </Note>
  ));
}

function Counts({ queue: { batches, reversals, jobs, projection } }: { queue: QueueFacts }) {
  return (
    <dl className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-panel p-4 tabular-nums sm:grid-cols-4">
      <Fact isLarge name="Waiting">
        <Count of={jobs && jobs.waiting} none="unknown" />
      </Fact>
      <Fact isLarge name="Active">
        <Count of={jobs && jobs.active} none="unknown" />
      </Fact>
      <Fact isLarge name="To be retried">
        <Count of={jobs && jobs.delayed} none="unknown" />
      </Fact>
      <Fact isLarge name="Failed">
        <Count of={jobs && jobs.failed} none="unknown" />
      </Fact>
      <Fact isLarge name="Workers">
        <Count of={jobs && jobs.workers} none="unknown" />
      </Fact>
      <Fact isLarge name="Unfinished batches">
        {numberText(batches.queued + batches.running)}
        {batches.oldestAt === null ? null : (
          <span className="block text-sm font-normal text-muted">
            {numberText(batches.awards)} awards, the oldest <Time at={batches.oldestAt} />
          </span>
        )}
      </Fact>
      <Fact isLarge name="Unfinished reversals">
        {numberText(reversals)}
      </Fact>
      <Fact isLarge name="Projection lag">
        {projection.lagMs === null ? <span className="text-muted">none</span> : secondsText(projection.lagMs)}
        <span className="block text-sm font-normal text-muted">
          {projection.processes === 1 ? "in 1 process" : `in ${projection.processes} processes`}
        </span>
      </Fact>
    </dl>
  );
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
