// Compares roles now because a person asks for it: those of one member or of all, or only says what differs.
import { AppError } from "#kernel/app-error.ts";
import { outcomeName } from "#domain/destination.ts";
import { roleChangeOf } from "#domain/role-change.ts";
import { pause } from "#async/pause.ts";
import type { SyncNow } from "#delivery/answer-calls.ts";
import { STORE_AGAIN_MS } from "#delivery/bounds.ts";
import { applyRank, readRoles, type Compared } from "#delivery/compare-roles.ts";
import { differenceOf, runFullSync, type FullSyncDeps } from "#delivery/full-sync.ts";
import type { SyncResult } from "#delivery/call-ports.ts";
import type { HeldDestination, RunStore } from "#delivery/ports.ts";
import { FULL_SYNC_EVERY_MS } from "#delivery/role-bounds.ts";
import type { RoleLane, RoleLanes } from "#delivery/role-lanes.ts";

type Deps = FullSyncDeps & { lanes: RoleLanes; runs: Pick<RunStore, "note"> };

/** Throws AppError `unavailable` with a sentence that says why not. */
export function makeSyncNow(deps: Deps): SyncNow {
  return async function syncNow(held, { platformId, dryRun }) {
    const lane = deps.lanes(held);
    const { state } = held.destination;
    if (!dryRun && state !== "active" && state !== "failing")
      throw notNow(`The destination is ${state}, so no roles are changed. Resume it, then try again.`);
    return platformId === null
      ? await syncAll(deps, { held, lane, dryRun })
      : await syncOne(deps, { held, lane, dryRun, platformId });
  };
}

type Asked = { held: HeldDestination; lane: RoleLane; dryRun: boolean };

async function syncAll(deps: Deps, { held, lane, dryRun }: Asked): Promise<SyncResult> {
  const steps = runFullSync(deps, { held, lane }, { dryRun });
  for (;;) {
    const step = await steps.next();
    if (!step.done) {
      if (step.value === "failed" && isStopped(lane)) throw notNow(whyNot(lane, held));
      if (step.value !== "progress") await pause(Math.max(lane.restMs(), STORE_AGAIN_MS), held.signal);
      continue;
    }
    if (step.value === null) throw notNow(PASSED_ON);
    const syncedAt = held.now();
    const fullSyncAt = new Date(syncedAt.getTime() + FULL_SYNC_EVERY_MS);
    if (!dryRun) await deps.runs.note(held, { syncedAt, fullSyncAt });
    return step.value;
  }
}

async function syncOne(
  { readRanks, syncs, meter }: Deps,
  { held, lane, dryRun, platformId }: Asked & { platformId: string },
): Promise<SyncResult> {
  const { destinationId, clanId } = held.destination;
  const nobody = { members: 0, changed: 0, differences: [] };
  if (!dryRun) await syncs.list(held.destination, [platformId]);
  // Afterwards, so that nobody stays listed of whom nothing is stored.
  const rank = (await readRanks(clanId, [platformId])).get(platformId);
  if (!rank) {
    if (!dryRun) await syncs.forget(destinationId, [{ platformId, markedAt: null }]);
    return nobody;
  }
  const read = await readRoles(lane, platformId);
  const has = "has" in read ? read.has : null;
  const compared = has && !dryRun ? await applyRank(lane, { platformId, rank, has }) : "has" in read ? null : read;
  if (compared && compared.kind !== "settled") throw notNow(reasonOf(compared, lane, held));
  if (compared && !dryRun) {
    const { outcome, reason } = compared;
    await syncs.note(destinationId, [platformId], { outcome, reason });
    meter.roleSync(outcomeName(lane.kind, outcome));
  }
  if (!has) return nobody;
  const { assign, unassign } = roleChangeOf(lane.mapping, rank, has);
  const isDifferent = assign.length + unassign.length > 0;
  const differences = isDifferent ? [differenceOf(lane, { platformId, rank, has })] : [];
  return { members: 1, changed: compared?.isChanged ? 1 : 0, differences };
}

const PASSED_ON = "The destination has just passed to another notifier, or was changed. Try again.";

function isStopped(lane: RoleLane): boolean {
  return lane.health().state === "failing" || lane.health().state === "disabled";
}

function reasonOf(compared: Exclude<Compared, { kind: "settled" }>, lane: RoleLane, held: HeldDestination): string {
  return compared.kind === "failed" ? compared.reason : whyNot(lane, held);
}

function whyNot(lane: RoleLane, held: HeldDestination): string {
  if (held.signal.aborted || !held.isHeld()) return PASSED_ON;
  const restMs = lane.restMs();
  if (restMs > 0) return `Too many requests were sent: try again in ${Math.ceil(restMs / 1_000)} s.`;
  return lane.reason() ?? "The roles could not be read. Try again.";
}

function notNow(detail: string): AppError {
  return new AppError("unavailable", detail);
}
