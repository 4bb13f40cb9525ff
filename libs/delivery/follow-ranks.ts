// Makes the roles of a Roblox group or a Discord server follow the ranks of a clan's members, for one destination that
// this process holds.
//
// An event only marks the member: what is applied is the rank of that moment. So any number of events, in any order,
// lead to the roles of now, and everything may be done twice.
//
// Invariants: nothing is sent once another process may hold the destination, and nobody is touched of whom nothing is
// stored here.
import { outcomeName } from "#domain/destination.ts";
import type { MemberRank } from "#domain/role-change.ts";
import type { Log } from "#kernel/log.ts";
import { STORE_AGAIN_MS } from "#delivery/bounds.ts";
import { applyRank, readRoles } from "#delivery/compare-roles.ts";
import { runFullSync, type FullSync, type FullSyncDeps } from "#delivery/full-sync.ts";
import { isSentTo, retryInMs } from "#delivery/health.ts";
import { makeMarkMembers, type MarkDeps } from "#delivery/mark-members.ts";
import type { HeldDestination, RunStore } from "#delivery/ports.ts";
import { DENIED_MAX, DUE_AT_ONCE, FULL_SYNC_EVERY_MS } from "#delivery/role-bounds.ts";
import type { RoleLane, RoleLanes } from "#delivery/role-lanes.ts";
import { runWhileHeld, type RunDestination } from "#delivery/run-while-held.ts";
import type { EventSignal } from "#events/ports.ts";

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

/** `since`: its state is known. `fullSyncAt`: when all members are to be compared; null: never. */
type FollowRun = {
  held: HeldDestination;
  lane: RoleLane;
  since: Date;
  fullSyncAt: Date | null;
  fullSync: FullSync | null;
};

export function makeFollowRanks(deps: FollowDeps): RunDestination {
  return function followRanks(held) {
    const lane = deps.lanes(held);
    const { since } = held.destination;
    const at: FollowRun = { held, lane, since, fullSyncAt: held.run.fullSyncAt, fullSync: null };
    const markMembers = makeMarkMembers(deps, held, () => planFullSync(deps, at));
    return runWhileHeld(deps, held, () => ({
      isRunning: () => isSentTo(lane.health()),
      async step() {
        const { isHeld, hasMore } = await markMembers();
        if (!isHeld) return null;
        const waitMs = hasMore ? 0 : await work(deps, at);
        return lane.isOutdated() ? null : waitMs;
      },
    }));
  };
}

/** From the beginning, even if one is running. */
async function planFullSync({ runs }: FollowDeps, at: FollowRun): Promise<boolean> {
  at.fullSync = null;
  at.fullSyncAt = at.held.now();
  return await runs.note(at.held, { fullSyncAt: at.fullSyncAt });
}

async function work(deps: FollowDeps, at: FollowRun): Promise<number> {
  const { held, lane } = at;
  // Nothing can be sent until it is let go or held again.
  if (!held.isHeld()) return STORE_AGAIN_MS;
  const { state, since, nextProbeAt } = lane.health();
  if (state === "active" && since > at.since) {
    // It works again, and the lane has stored that all members are to be compared.
    at.fullSync = null;
    at.fullSyncAt = since;
  }
  at.since = since;
  const restMs = lane.restMs();
  if (restMs > 0) return restMs;
  if (state !== "failing") return await workOn(deps, at);
  const waitMs = (nextProbeAt?.getTime() ?? 0) - held.now().getTime();
  if (waitMs > 0) return waitMs;
  await probe(deps, at);
  return 0;
}

/** One step: members who are due, then a part of a full sync. Returns how long to wait for the next one. */
async function workOn(deps: FollowDeps, at: FollowRun): Promise<number> {
  const { held, lane } = at;
  const { destinationId } = held.destination;
  const due = await deps.syncs.listDue(destinationId, DUE_AT_ONCE);
  await syncDue(deps, at, due);
  if (due.length > 0 && lane.health().state !== "active") return 0;
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

/**
 * While it fails: goes on with what is to be done until a response shows whether it works again. If nothing is left,
 * those are compared once more who could not be changed, or any request shows it.
 */
async function probe(deps: FollowDeps, at: FollowRun): Promise<void> {
  const { held, lane } = at;
  const before = lane.health();
  const isOpen = (): boolean =>
    lane.health() === before && lane.restMs() === 0 && held.isHeld() && !held.signal.aborted;
  while (isOpen()) if ((await workOn(deps, at)) > 0) break;
  if (!isOpen()) return;
  const denied = lane.denied();
  if (denied.size >= DENIED_MAX) await deps.syncs.mark(held.destination, [...denied], { dueInMs: 0, waitMsMax: 0 });
  else await lane.ask(null, (client) => client.listRoles(null));
  // Otherwise it would be probed again immediately.
  if (isOpen()) await lane.note({ kind: "refused" });
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
    return lane.health().state === "active";
  }
  // A probe uses up no attempt.
  if (wasFailing) return false;
  const inMs = retryInMs(tried, deps.schedule.retryMs, deps.random);
  const outcome = inMs === null ? "refused" : "waiting";
  await syncs.settle(destinationId, [{ platformId, markedAt, outcome, reason: compared.reason, retryInMs: inMs }]);
  meter.roleSync(outcomeName(lane.kind, outcome));
  return lane.health().state === "active";
}
