// The tasks that a worker runs at intervals beside its jobs: it queues batches that lost their job, begins resets whose
// time has come, projects the remaining heads of crashed processes, numbers events, makes periods of boards final,
// indexes the names of an earlier version, resumes interrupted erasures and deletions of clans, notices a restored
// backup, and deletes data by age.
import { ERASURE_REQUEST_RETENTION_DAYS } from "#domain/erasure-hook.ts";
import { pause } from "#async/pause.ts";
import { openBoards } from "#composition/open-boards.ts";
import type { ProjectionRequests } from "#redis/projection-requests.ts";
import { makeBoardStore } from "#boards/store/board-store.ts";
import { makeStandingUpkeep } from "#boards/store/standing-upkeep.ts";
import { BOARD_UPKEEP_EVERY_MS, DISCARDED_AGE_MS_MIN } from "#boards/bounds.ts";
import { makeKeepBoards } from "#boards/keep-boards.ts";
import { logFailures } from "#async/failures.ts";
import { repeat } from "#async/repeat.ts";
import { makeAnnounceEvents } from "#redis/event-signal.ts";
import { makeNewestCount } from "#redis/newest-count.ts";
import { makeScannerClaim } from "#redis/scanner-claim.ts";
import { makeIds } from "#process/ids.ts";
import type { Config } from "#process/config.ts";
import { makeClanDataStore } from "#erasure/store/clan-data-store.ts";
import { makeClanDeletionStore } from "#erasure/store/clan-deletion-store.ts";
import { makeErasureParts } from "#erasure/store/erasure-parts.ts";
import { makeFindStored } from "#hooks/store/find-stored.ts";
import { makeHookStore } from "#hooks/store/hook-store.ts";
import { makeRequestSteps } from "#hooks/store/request-steps.ts";
import { makeRequestStore } from "#hooks/store/request-store.ts";
import { makeTakeHookTurn } from "#hooks/store/take-hook-turn.ts";
import { makeEventChain } from "#events/store/event-chain.ts";
import { makeEventUpkeep } from "#events/store/event-upkeep.ts";
import { makeUnnumberedChanges } from "#events/store/unnumbered-changes.ts";
import { makeIndexNames } from "#names/store/index-names.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { makeContinuityStore } from "#operations/store/continuity-store.ts";
import { makeApplyRetention, type ApplyRetention } from "#batches/apply-retention.ts";
import { RETENTION_EVERY_MS, RETENTION_PAGE, RETENTION_PAUSE_MS } from "#batches/bounds.ts";
import { restAfter } from "#batches/rest-after.ts";
import { makeRecoverBatches, type RecoveryReport } from "#batches/recover-batches.ts";
import { ERASURE_RESUME_EVERY_MS } from "#erasure/bounds.ts";
import { makeDeleteClan } from "#erasure/delete-clan.ts";
import { makeEraseMember } from "#erasure/erase-member.ts";
import { makeResumeDeletions } from "#erasure/resume-deletions.ts";
import { makeResumeErasures } from "#erasure/resume-erasures.ts";
import { EVENT_RETENTION_EVERY_MS, EVENTS_PER_DELETION, NUMBER_EVERY_MS } from "#events/bounds.ts";
import { makeDeleteOldEvents } from "#events/delete-old-events.ts";
import { makeNumberEvents, type NumberEvents } from "#events/number-events.ts";
import { makeSettleRequests } from "#hooks/settle-requests.ts";
import { RESTORE_NOTICE_EVERY_MS } from "#operations/bounds.ts";
import { makeNoticeRestore } from "#operations/notice-restore.ts";
import { makeQueueDueResets } from "#resets/queue-due-resets.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import type { Meter } from "#telemetry/meter.ts";
import { RECOVER_EVERY_MS } from "#ledger/bounds.ts";
import { makeRecoverProjections } from "#ledger/recover-projections.ts";
import type { Connections } from "./connections.ts";
import { numberWhenDue } from "./number-when-due.ts";
import { scanWhileClaimed } from "./scan-while-claimed.ts";

/** `failed`: the event of a failure, which the next run retries. `atStart`: runs as soon as MongoDB is reached, too. */
/** `level`: of every failure; by default, an outage is logged at `debug` and a bug at `error`. */
type Task = { everyMs: number; run(): Promise<unknown>; failed: string; level?: "debug" | "warn"; atStart?: true };

/** `workerId`: unique to this process. */
export function startUpkeep(deps: {
  connections: Connections;
  /** Makes every process project what it has committed in a clan. */
  project: ProjectionRequests["catchUp"];
  workerId: string;
  config: Config;
  clock: Clock;
  meter: Meter;
  log: Log;
}) {
  const { connections, project, workerId, config, clock, meter, log } = deps;
  const { database, ledgerStore: store, ledgerReader: reader, queueRedis: redis, namespace } = connections;
  const stopping = new AbortController();
  const parts = makeErasureParts(database);
  // Interrupted at the stop, so that another worker continues it.
  const announceEvents = makeAnnounceEvents({ redis, namespace, log });
  const common = { announceEvents, ids: makeIds(clock), clock, log };
  const numberEvents = numberingOf({ ...common, connections, meter });
  const continuity = makeContinuityStore(database);
  const resumes = resumesOf({ ...connections, ...common, parts, stopping: stopping.signal });

  const tasks: Task[] = [
    ...retentionsOf({ ...connections, database, config, clock, log, stopping: stopping.signal }),
    {
      everyMs: NUMBER_EVERY_MS,
      run: numberWhenDue({ numberEvents, signal: connections.eventSignal, clock, stopping: stopping.signal }),
      failed: "event.numbering_failed",
    },
    ...boardTasks({ database, project, clock, log }),
    indexingOf({ database, stopping: stopping.signal }),
    {
      everyMs: RECOVER_EVERY_MS,
      run: makeRecoverProjections({ ...connections, store, reader, workerId, clock, log }),
      failed: "projection.recovery_failed",
    },
    ...resumes.tasks,
    {
      everyMs: RESTORE_NOTICE_EVERY_MS,
      run: makeNoticeRestore({ continuity, newestCount: makeNewestCount({ redis, namespace }), log }),
      failed: "restore_check.failed",
      // Errors of Redis are passed on as they are.
      level: "debug",
    },
  ];
  const running = tasks.map(({ everyMs, run, failed, level, atStart }) => {
    const logAll = level && ((error: unknown) => log[level]({ err: error }, failed));
    const task = repeat(everyMs, run, logAll ?? logFailures(log, failed));
    // If MongoDB cannot be used, another part of the process reports it and exits.
    if (atStart) database.ready.then(task.now, () => {});
    return task;
  });
  const scans = scanWhileClaimed({
    recover: recoverAll({ ...connections, clock, log }),
    claim: makeScannerClaim({ redis, namespace, workerId }),
    clock,
    meter,
    log,
  });
  return {
    unfinishedErasures: parts.erasures.unfinished,
    eventsBehindMs: numberEvents.behindMs,
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([scans, ...running].map((task) => task.stop()));
      await resumes.ended();
    },
  };
}

/** Names of earlier versions are found by what is indexed of names now. */
function indexingOf({ database, stopping }: Pick<Connections, "database"> & { stopping: AbortSignal }): Task {
  const indexNames = makeIndexNames(database);
  return {
    everyMs: RETENTION_EVERY_MS,
    run: () => indexNames(stopping),
    failed: "name.indexing_failed",
    atStart: true,
  };
}

/** Keeps boards up to date, and deletes the standings that they discarded. */
function boardTasks(deps: Parameters<typeof openBoards>[0]): Task[] {
  const { database, log } = deps;
  const { catchUp } = openBoards(deps);
  return [
    {
      everyMs: BOARD_UPKEEP_EVERY_MS,
      run: makeKeepBoards({ boards: makeBoardStore(database), catchUp, log }),
      failed: "board.upkeep_failed",
    },
    {
      everyMs: RETENTION_EVERY_MS,
      run: () => makeStandingUpkeep(database).deleteDiscarded(DISCARDED_AGE_MS_MIN),
      failed: "retention.failed",
    },
  ];
}

/** Finishes erasures of members and deletions of clans that another process has begun, or Roblox has requested. */
function resumesOf(
  deps: Omit<Parameters<typeof makeEraseMember>[0], "parts" | "ids"> & { ids: Ids } & Pick<Connections, "database"> & {
      parts: ReturnType<typeof makeErasureParts>;
    },
): { tasks: Task[]; ended(): Promise<unknown> } {
  const { database, parts, log } = deps;
  const deletions = makeClanDeletionStore(database);
  const erasing = makeResumeErasures({ erasures: parts.erasures, eraseMember: makeEraseMember(deps), log });
  const deleteClan = makeDeleteClan({ ...deps, deletions, clanData: makeClanDataStore(database) });
  const deleting = makeResumeDeletions({ deletions, deleteClan, log });
  const settleRequests = makeSettleRequests({
    ...deps,
    requests: makeRequestSteps(database),
    takeTurn: makeTakeHookTurn(database),
    erasures: parts.erasures,
    findStored: makeFindStored(database),
  });
  const common = { everyMs: ERASURE_RESUME_EVERY_MS, level: "warn" } as const;
  return {
    tasks: [
      { ...common, run: erasing.look, failed: "erasure.scan_failed" },
      { ...common, run: deleting.look, failed: "deletion.scan_failed" },
      { ...common, run: settleRequests, failed: "erasure_request.scan_failed" },
    ],
    ended: () => Promise.all([erasing.ended(), deleting.ended()]),
  };
}

/** Numbers events, counts them, and wakes their readers. */
function numberingOf(deps: {
  connections: Connections;
  announceEvents: (clanId: string) => unknown;
  ids: Ids;
  clock: Clock;
  meter: Meter;
  log: Log;
}): NumberEvents {
  const { connections, announceEvents, clock, meter } = deps;
  const { database, clans } = connections;
  return makeNumberEvents({
    ...deps,
    changes: makeUnnumberedChanges(database),
    chain: makeEventChain(database),
    clans,
    names: makeNameStore(database),
    numbered({ clanId, events }) {
      meter.eventsNumbered(events, clock.now());
      announceEvents(clanId);
    },
  });
}

/** Deletes by age, each with its own retention and as a separate task: a slow or failing one delays no other. */
function retentionsOf(
  deps: Pick<Connections, "batches" | "reversals" | "database" | "readPriority"> & {
    config: Config;
    clock: Clock;
    log: Log;
    stopping: AbortSignal;
  },
): Task[] {
  const { batches, reversals, database, readPriority, config, clock, log, stopping } = deps;
  const restOf = (leastMs: number) => async (signal: AbortSignal, tookMs: number) =>
    pause(Math.max(leastMs, restAfter(tookMs, await readPriority())), signal);
  const common = { limit: RETENTION_PAGE, pause: restOf(RETENTION_PAUSE_MS), clock, log };
  const ofEvents = makeApplyRetention({
    ...common,
    deleteOld: makeDeleteOldEvents(makeEventUpkeep(database), stopping),
    limit: EVENTS_PER_DELETION,
    pause: restOf(0),
    retentionDays: config.eventRetentionDays,
    event: "event.retention",
  });
  const others = [
    makeApplyRetention({
      ...common,
      deleteOld: batches.deleteDetails,
      retentionDays: config.batchRetentionDays,
      event: "batch.retention",
    }),
    makeApplyRetention({
      ...common,
      deleteOld: reversals.deleteDetails,
      retentionDays: config.reversalRetentionDays,
      event: "reversal.retention",
    }),
    makeApplyRetention({
      ...common,
      deleteOld: makeStandingUpkeep(database).deleteOld,
      retentionDays: config.boardRetentionDays,
      event: "board.retention",
    }),
    ...[makeRequestStore(database), makeHookStore(database)].map(({ deleteOld }) =>
      makeApplyRetention({
        ...common,
        deleteOld,
        retentionDays: ERASURE_REQUEST_RETENTION_DAYS,
        event: "erasure_request.retention",
      }),
    ),
  ];
  const taskOf = (apply: ApplyRetention, everyMs: number): Task => {
    return { everyMs, run: () => apply(stopping), failed: "retention.failed", atStart: true };
  };
  return [taskOf(ofEvents, EVENT_RETENTION_EVERY_MS), ...others.map((apply) => taskOf(apply, RETENTION_EVERY_MS))];
}

/** Queues resets whose time has come, scans for batches, then for reversals and resets, and adds the reports. */
function recoverAll(
  deps: Pick<Connections, "batches" | "reversals" | "resets" | "queue"> & { clock: Clock; log: Log },
): () => Promise<RecoveryReport> {
  const { batches, reversals, queue } = deps;
  const recoverBatches = makeRecoverBatches({ ...deps, batches, queue });
  const recoverReversals = makeRecoverBatches({ ...deps, batches: reversals, queue: queue.reversals });
  const queueDueResets = makeQueueDueResets({ ...deps, queue: queue.reversals });
  return async () => {
    await queueDueResets();
    const [ofBatches, ofReversals] = [await recoverBatches(), await recoverReversals()];
    return {
      unfinished: ofBatches.unfinished + ofReversals.unfinished,
      revived: ofBatches.revived + ofReversals.revived,
    };
  };
}
