// Makes the roles of a Roblox group or a Discord server follow the ranks of a clan's members, for one destination that
// this process holds.
//
// An event only marks the member: what is applied is the rank of that moment. So any number of events, in any order,
// lead to the roles of now, and everything may be done twice.
//
// Invariants: nothing is sent once another process may hold the destination, and nobody is touched of whom nothing is
// stored here.
import { logFailures } from "#async/failures.ts";
import { retry, type Retrying } from "#async/retry.ts";
import { LOOK_MS, RETRY_SPREAD, STORE_AGAIN_MS, UNSIGNALLED_LOOK_MS } from "#usecases/destinations/bounds.ts";
import { applyRank, readRoles } from "#usecases/destinations/compare-roles.ts";
import type { RunDestination } from "#usecases/destinations/deliver-events.ts";
import { runFullSync, type FullSync, type FullSyncDeps } from "#usecases/destinations/full-sync.ts";
import { makeMarkMembers, type MarkDeps } from "#usecases/destinations/mark-members.ts";
import type { HeldDestination, RunStore } from "#usecases/destinations/ports.ts";
import { DUE_AT_ONCE, FULL_SYNC_EVERY_MS } from "#usecases/destinations/role-bounds.ts";
import type { RoleLane, RoleLanes } from "#usecases/destinations/role-lanes.ts";
import type { EventSignal } from "#usecases/events/ports.ts";
import { outcomeName } from "#domain/destination.ts";
import type { MemberRank } from "#domain/role-change.ts";
import type { Log } from "#runtime/ports.ts";

export type FollowDeps = FullSyncDeps &
  MarkDeps & {
    lanes: RoleLanes;
    runs: Pick<RunStore, "note" | "take">;
    signal: EventSignal;
    /** After a member's first failure, the second, … */
    schedule: { retryMs: readonly number[] };
    random: () => number;
    log: Log;
  };

/** `fullSyncAt`: when all members are to be compared; null: never. */
type FollowRun = {
  held: HeldDestination;
  lane: RoleLane;
  fullSyncAt: Date | null;
  fullSync: FullSync | null;
  /** While it fails: a probe since all those were tried whose roles could not be changed has failed, too. */
  isStillFailing: boolean;
};

export function makeFollowRanks(deps: FollowDeps): RunDestination {
  const { signal, lanes, log } = deps;

  return async function followRanks(held) {
    const { destinationId, clanId } = held.destination;
    const lane = lanes(held);
    const at: FollowRun = { held, lane, fullSyncAt: held.run.fullSyncAt, fullSync: null, isStillFailing: false };
    const watch = signal.watch(clanId);
    held.signal.addEventListener("abort", watch.wake);
    const markMembers = makeMarkMembers(deps, held, () => planFullSync(deps, at));
    const isRunning = (): boolean => !held.signal.aborted && ["active", "failing"].includes(lane.health().state);
    const logFailure = logFailures(log, "destination.sync_failed", { destinationId });
    const retrying: Retrying = {
      pauseMs: STORE_AGAIN_MS,
      mayGoOn: isRunning,
      failed(error) {
        logFailure(error);
        at.fullSync = null;
      },
      signal: held.signal,
    };
    async function step(): Promise<number | null> {
      const { isHeld, hasMore } = await markMembers();
      if (!isHeld) return null;
      return hasMore ? 0 : await work(deps, at);
    }
    try {
      while (isRunning()) {
        const waitMs = await retry(step, retrying);
        // Not held any more, or it is stopping.
        if (waitMs === null) return isRunning() ? "outdated" : "ended";
        const lookMs = signal.isConnected() ? LOOK_MS : UNSIGNALLED_LOOK_MS;
        if (waitMs > 0 && !held.signal.aborted) await watch.wait(Math.min(waitMs, lookMs));
      }
    } finally {
      held.signal.removeEventListener("abort", watch.wake);
      watch.end();
    }
    return "ended";
  };
}

/** From the beginning, even if one is running. */
async function planFullSync({ runs }: FollowDeps, at: FollowRun): Promise<boolean> {
  at.fullSync = null;
  at.fullSyncAt = at.held.now();
  return await runs.note(at.held, { fullSyncAt: at.fullSyncAt });
}

/** One step: members who are due, then a part of a full sync. Returns how long to wait for the next one. */
async function work(deps: FollowDeps, at: FollowRun): Promise<number> {
  const { held, lane } = at;
  const { destinationId } = held.destination;
  const now = held.now().getTime();
  if (lane.takeResumed()) {
    // The lane has stored it with the new state.
    at.fullSync = null;
    at.fullSyncAt = held.now();
  }
  const restMs = lane.restMs();
  if (restMs > 0) return restMs;
  if (lane.health().state === "failing") {
    const waitMs = (lane.health().nextProbeAt?.getTime() ?? 0) - now;
    if (waitMs <= 0) await probe(deps, at);
    return Math.max(0, waitMs);
  }

  const due = await deps.syncs.listDue(destinationId, DUE_AT_ONCE);
  await syncDue(deps, at, due);
  if (lane.health().state === "failing") return 0;
  const isFullSyncDue = at.fullSyncAt !== null && at.fullSyncAt.getTime() <= held.now().getTime();
  const step = isFullSyncDue ? await stepFullSync(deps, at) : null;
  if (step === "rest") return lane.restMs();
  if (step === "failed") return deps.schedule.retryMs[0] ?? 0;
  if (due.length > 0 || at.fullSync) return 0;
  const nextDueInMs = (await deps.syncs.nextDueInMs(destinationId)) ?? Infinity;
  const fullSyncInMs = at.fullSyncAt ? at.fullSyncAt.getTime() - held.now().getTime() : Infinity;
  // Never 0: what is due now is found by the next look, also if this process's reckoning is a little ahead.
  return Math.max(1, Math.min(nextDueInMs, fullSyncInMs));
}

async function stepFullSync(deps: FollowDeps, at: FollowRun): Promise<"progress" | "failed" | "rest"> {
  const { held, lane } = at;
  at.fullSync ??= runFullSync(deps, { held, lane }, { dryRun: false });
  const step = await at.fullSync.next();
  if (!step.done) return step.value;
  at.fullSync = null;
  if (step.value === null) return "progress";
  const syncedAt = held.now();
  at.fullSyncAt = new Date(syncedAt.getTime() + FULL_SYNC_EVERY_MS);
  await deps.runs.note(held, { syncedAt, fullSyncAt: at.fullSyncAt });
  return "progress";
}

type Due = { platformId: string; tried: number; markedAt: Date };

async function syncDue(deps: FollowDeps, at: FollowRun, due: readonly Due[]): Promise<void> {
  const { destinationId, clanId } = at.held.destination;
  const ranks = await deps.readRanks(
    clanId,
    due.map(({ platformId }) => platformId),
  );
  await deps.syncs.forget(
    destinationId,
    due.filter(({ platformId }) => !ranks.has(platformId)),
  );
  for (const member of due) {
    const rank = ranks.get(member.platformId);
    if (rank && !(await syncMember(deps, at, member, rank))) return;
  }
}

/** False if no request can be sent now. */
async function syncMember(
  { syncs, meter, ...deps }: FollowDeps,
  { held, lane }: FollowRun,
  { platformId, markedAt, tried }: Due,
  rank: MemberRank,
): Promise<boolean> {
  const { destinationId } = held.destination;
  const wasFailing = lane.health().state === "failing";
  const read = await readRoles(lane, platformId);
  const compared = "has" in read ? await applyRank(lane, { platformId, rank, has: read.has }) : read;
  if (compared.kind === "later") return false;
  if (compared.kind === "settled") {
    const { outcome, reason } = compared;
    await syncs.settle(destinationId, [{ platformId, markedAt, outcome, reason, retryInMs: null }]);
    meter.roleSync(outcomeName(lane.kind, outcome));
    return lane.health().state !== "failing";
  }
  // A probe uses up no attempt.
  if (wasFailing) return false;
  const retryMs = deps.schedule.retryMs[tried];
  const retryInMs = retryMs === undefined ? null : Math.round(retryMs * (1 + RETRY_SPREAD * deps.random()));
  const outcome = retryInMs === null ? "refused" : "waiting";
  await syncs.settle(destinationId, [{ platformId, markedAt, outcome, reason: compared.reason, retryInMs }]);
  meter.roleSync(outcomeName(lane.kind, outcome));
  return lane.health().state !== "failing";
}

/** One member's roles, or any request if nobody's are due. */
async function probe(deps: FollowDeps, at: FollowRun): Promise<void> {
  const { held, lane } = at;
  const { probes, isDenied, denied } = lane.health();
  const due = await deps.syncs.listDue(held.destination.destinationId, 1);
  if (due.length > 0) {
    await syncDue(deps, at, due);
    at.isStillFailing ||= lane.health().probes > probes;
  } else if (!isDenied) {
    await lane.ask(null, (client) => client.listRoles(null));
  } else if ((await deps.syncs.nextDueInMs(held.destination.destinationId)) === null) {
    // All who wait were tried: once more, or nobody's roles have to be changed and comparing all members shows it.
    if (at.isStillFailing) {
      at.isStillFailing = false;
      await deps.syncs.mark(held.destination, [...denied], { dueInMs: 0, waitMsMax: 0 });
      return;
    }
    await lane.resume();
  }
  await lane.endProbe(probes);
}
