// The state of the queue for people: the state of a batch's job, and how many workers are connected. Changes nothing.
import type { Job, Queue } from "bullmq";
import type { JobFacts } from "#batches/ports.ts";

/** The first line of an error says what happened; the rest is for developers. */
const ERROR_CHARS_MAX = 300;

export async function inspectJob(queue: Queue, id: string): Promise<JobFacts> {
  const job = await queue.getJob(id);
  if (!job) return { state: "missing", attempts: 0, error: null };
  const error = job.failedReason?.split("\n")[0]?.slice(0, ERROR_CHARS_MAX) || null;
  return { state: stateOf(await job.getState()), attempts: job.attemptsMade, error };
}

function stateOf(state: Awaited<ReturnType<Job["getState"]>>): JobFacts["state"] {
  switch (state) {
    case "active":
    case "delayed":
    case "failed":
      return state;
    case "completed":
    case "unknown":
      // The job has ended or was lost, and its record is not done: the recovery scan replaces it.
      return "missing";
    default:
      return "waiting";
  }
}

/** Null if the service forbids or lacks CLIENT LIST. */
export async function countWorkers(queue: Queue): Promise<number | null> {
  try {
    const workers = await queue.getWorkers();
    // BullMQ's result for a Redis without that command is one client without an id.
    return workers.every((worker) => "id" in worker) ? workers.length : null;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("NOPERM")) return null;
    throw error;
  }
}
