// The queue, and reversals, for one command. If Redis does not complete a call in time, the error is `unreachable`, as if
// Redis were unavailable.
import { AppError } from "#kernel/app-error.ts";
import type { JobQueueControl, QueueStatus } from "#queue/job-queue.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { makeIds } from "#process/ids.ts";
import { digest } from "#process/secrets.ts";
import { makePreviewReversal, type PreviewReversal } from "#reversals/preview-reversal.ts";
import type { ReversalStore } from "#reversals/ports.ts";
import { makeSelectAwards } from "#reversals/select-awards.ts";
import { makeSubmitReversal, type SubmitReversal } from "#reversals/submit-reversal.ts";
import { CliError } from "../cli-error.ts";
import type { Cli } from "../cli.ts";
import { unknownClan } from "../show/not-found.ts";
import { load } from "./load.ts";
import { rootMessage, silentLog, type Servers } from "./servers.ts";

export async function withQueue<T>(servers: Servers, work: (queue: JobQueueControl) => Promise<T>): Promise<T> {
  const [redis, { makeJobQueue }] = await Promise.all([servers.redis(), load.jobQueue()]);
  const queue = makeJobQueue({ redis, namespace: servers.namespace(), log: silentLog });
  try {
    return await work(queue);
  } catch (error) {
    if (error instanceof AppError || error instanceof CliError) throw error;
    throw new CliError("unreachable", `Redis did not confirm the operation: ${rootMessage(error)}.`, { cause: error });
  } finally {
    await queue.close();
  }
}

/** `fault`: why workers take no jobs although the queue is not paused. */
export function queueFacts(status: QueueStatus, fault: string | null = null): [string, string][] {
  const running = fault === null ? "running" : `not paused, but workers take no batches. ${fault}`;
  return [
    ["queue", status.paused ? "paused: workers start no batches until clanxp queue resume" : running],
    ["waiting", status.waiting.toString()],
    ["active", status.active.toString()],
    ["delayed", `${status.delayed}${status.delayed > 0 ? ", to be retried" : ""}`],
    ["failed", status.failed.toString()],
    ["completed", `${status.completed} recently`],
  ];
}

export type Reversing = {
  preview: PreviewReversal;
  submit: SubmitReversal;
  read: ReversalStore["read"];
  /** False also if Redis does not respond. */
  isPaused(): Promise<boolean>;
};

/** MongoDB and the queue must be reachable before anything is recorded. */
export async function openReversing<T>(
  cli: Cli,
  clanId: string,
  work: (reversing: Reversing) => Promise<T>,
): Promise<T> {
  const { ledgerStore: store, clans, reversals, selection } = await cli.servers.preparedStores();
  if (!(await clans.read([clanId])).has(clanId)) throw await unknownClan(clanId, clans);
  const { clock } = cli;
  const selectAwards = makeSelectAwards({ selection, clock });
  return withQueue(cli.servers, ({ reversals: queue, isPaused }) =>
    work({
      preview: makePreviewReversal({ selectAwards, selection, store, clock, awardIdOf }),
      submit: makeSubmitReversal({
        reversals,
        selectAwards,
        queue,
        clock,
        digest,
        ids: makeIds(clock),
        log: silentLog,
      }),
      read: reversals.read,
      isPaused: () => isPaused().catch(() => false),
    }),
  );
}
