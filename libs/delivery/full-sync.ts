// Compares all members of a group or server, and changes only what differs: without a difference, it costs the requests
// that list the members.
//
// First every member of the clan is listed, so that later steps only change what is listed: what an erasure deletes
// meanwhile stays deleted.
import { outcomeName } from "#domain/destination.ts";
import { isIdOf, mappedRoles, roleChangeOf, wantedRoles, type MemberRank } from "#domain/role-change.ts";
import { applyRank } from "#delivery/compare-roles.ts";
import { DIFFERENCES_MAX, MEMBERS_PER_LIST } from "#delivery/role-bounds.ts";
import type { NotifierMeter } from "#delivery/meter.ts";
import type { RoleDifference, SyncResult } from "#delivery/call-ports.ts";
import type { HeldDestination } from "#delivery/ports.ts";
import type { ReadRanks, RoleSyncStore } from "#delivery/role-sync-ports.ts";
import type { LaneReply, RoleLane } from "#delivery/role-lanes.ts";
import type { RolePage, RolesOf } from "#delivery/role-ports.ts";
import type { ListPosition, MemberStore } from "#members/ports.ts";

export type FullSyncDeps = {
  syncs: Omit<RoleSyncStore, "outcomes" | "page" | "oldestDueMs">;
  readRanks: ReadRanks;
  members: Pick<MemberStore, "list">;
  meter: Pick<NotifierMeter, "roleSync">;
};

/**
 * Yields after each step, so that other work comes in between: `failed` if the next step is to be tried again later, `rest`
 * if it has to wait for the lane. Returns null if the destination is not held any more. Throws AppError `unavailable`,
 * after which it cannot be continued.
 */
export type FullSync = AsyncGenerator<"progress" | "failed" | "rest", SyncResult | null>;

type At = { held: HeldDestination; lane: RoleLane };
type Person = RolesOf & { rank: MemberRank };

export async function* runFullSync(deps: FullSyncDeps, at: At, { dryRun }: { dryRun: boolean }): FullSync {
  const { held, lane } = at;
  const since = held.now();
  const differences: RoleDifference[] = [];
  let [members, changed] = [0, 0];
  if (!dryRun) for await (const _ of listMembers(deps, at)) yield "progress";

  for (let after: string | null = null; ;) {
    const from: string | null = after;
    const page: LaneReply<RolePage<RolesOf>> = await lane.ask(null, (client) => client.listMembers(from));
    if (page.kind === "lost") return null;
    if (page.kind !== "done") {
      yield page.kind === "rest" ? "rest" : "failed";
      continue;
    }
    const { differing, same } = await sortOut(deps, at, page.value.items);
    members += differing.length + same.length;
    differences.push(
      ...differing.slice(0, DIFFERENCES_MAX - differences.length).map((person) => differenceOf(lane, person)),
    );
    if (!dryRun) await noteSynced(deps, held.destination.destinationId, same);
    for (const person of dryRun ? [] : differing) {
      if (await applyDifference(deps, at, person)) changed += 1;
      yield "progress";
    }
    after = page.value.next;
    if (after === null || after === from) break;
    yield "progress";
  }
  if (!dryRun) {
    const others = await deps.syncs.settleOthers(held.destination.destinationId, since);
    deps.meter.roleSync(outcomeName(lane.kind, "not_there"), others);
  }
  return { members, changed, differences };
}

/** Those of whom something is stored here. */
async function sortOut(
  { readRanks }: FullSyncDeps,
  { held, lane }: At,
  people: readonly RolesOf[],
): Promise<{ differing: Person[]; same: Person[] }> {
  const ranks = await readRanks(
    held.destination.clanId,
    people.map(({ platformId }) => platformId),
  );
  const [differing, same]: [Person[], Person[]] = [[], []];
  for (const person of people) {
    const rank = ranks.get(person.platformId);
    if (!rank) continue;
    const { assign, unassign } = roleChangeOf(lane.mapping, rank, person.has);
    (assign.length + unassign.length > 0 ? differing : same).push({ ...person, rank });
  }
  return { differing, same };
}

async function* listMembers(
  { members, syncs, readRanks, meter }: FullSyncDeps,
  { held, lane }: At,
): AsyncGenerator<void> {
  const { destinationId, clanId } = held.destination;
  await syncs.forgetListed(destinationId);
  for (let after: ListPosition | null = null; ;) {
    const page = await members.list(clanId, { sort: "platformId", limit: MEMBERS_PER_LIST, after });
    const listed: string[] = page.items.map(({ platformId }) => platformId);
    await syncs.list(held.destination, listed);
    const ranks = await readRanks(clanId, listed);
    const gone = listed.filter((platformId) => !ranks.has(platformId));
    await syncs.forget(
      destinationId,
      gone.map((platformId) => ({ platformId, markedAt: null })),
    );
    const noIds = listed.filter((platformId) => ranks.has(platformId) && !isIdOf(lane.kind, platformId));
    await syncs.note(destinationId, noIds, { outcome: "not_an_id", reason: null });
    meter.roleSync(outcomeName(lane.kind, "not_an_id"), noIds.length);
    after = page.next;
    if (after === null) return;
    yield;
  }
}

export function differenceOf({ mapping }: RoleLane, { platformId, rank, has }: Person): RoleDifference {
  return { platformId, rank: rank.rank, has: mappedRoles(mapping, has), wants: wantedRoles(mapping, rank) };
}

async function noteSynced({ syncs, meter }: FullSyncDeps, destinationId: string, same: readonly Person[]) {
  await syncs.note(
    destinationId,
    same.map(({ platformId }) => platformId),
    { outcome: "synced", reason: null },
  );
  meter.roleSync("synced", same.length);
}

/** True if roles were changed. What could not be decided is compared again soon. */
async function applyDifference(
  { syncs, readRanks, meter }: FullSyncDeps,
  { held, lane }: At,
  { platformId, has }: Person,
): Promise<boolean> {
  // Changes take their time: since the page was read, an event may have changed the rank, and been applied.
  const rank = (await readRanks(held.destination.clanId, [platformId])).get(platformId);
  if (!rank) return false;
  const compared = await applyRank(lane, { platformId, rank, has });
  if (compared.kind !== "settled") {
    await syncs.mark(held.destination, [platformId], { dueInMs: 0, waitMsMax: 0 });
    return false;
  }
  const { outcome, reason, isChanged } = compared;
  await syncs.note(held.destination.destinationId, [platformId], { outcome, reason });
  meter.roleSync(outcomeName(lane.kind, outcome));
  return isChanged;
}
