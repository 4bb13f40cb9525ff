// Compares all members of a group or server, and changes only what differs: without a difference, it costs the requests
// that list the members.
//
// First every member of the clan is listed, so that later steps only change what is listed: what an erasure deletes
// meanwhile stays deleted.
import { isIdOf, mappedRoles, roleChangeOf, wantedRoles, type MemberRank } from "#domain/role-change.ts";
import { applyRank } from "#usecases/destinations/compare-roles.ts";
import { DIFFERENCES_MAX, MEMBERS_PER_LIST } from "#usecases/destinations/role-bounds.ts";
import type { NotifierMeter } from "#usecases/destinations/meter.ts";
import type {
  HeldDestination,
  ReadRanks,
  RoleDifference,
  RoleSyncStore,
  SyncResult,
} from "#usecases/destinations/ports.ts";
import type { RoleLane } from "#usecases/destinations/role-lanes.ts";
import type { RolesOf } from "#usecases/destinations/role-ports.ts";
import type { MemberPosition, MemberStore } from "#usecases/members/ports.ts";

export type FullSyncDeps = {
  syncs: RoleSyncStore;
  readRanks: ReadRanks;
  members: Pick<MemberStore, "list">;
  meter: Pick<NotifierMeter, "roleSync">;
};

/**
 * Yields after each step, so that other work comes in between: `blocked` if the next step cannot be made now. Returns null
 * if the destination is not held any more. Throws AppError `unavailable`, after which it cannot be continued.
 */
export type FullSync = AsyncGenerator<"progress" | "blocked", SyncResult | null>;

export async function* runFullSync(
  deps: FullSyncDeps,
  { held, lane }: { held: HeldDestination; lane: RoleLane },
  { dryRun }: { dryRun: boolean },
): FullSync {
  const { destinationId, clanId } = held.destination;
  const { syncs, readRanks } = deps;
  const since = held.now();
  const differences: RoleDifference[] = [];
  let [members, changed] = [0, 0];
  if (!dryRun) for await (const _ of listMembers(deps, { held, lane })) yield "progress";

  for (let after: string | null = null; ; ) {
    const from: string | null = after;
    const page = await lane.ask(null, (client) => client.listMembers(from));
    if (page.kind === "lost") return null;
    if (page.kind !== "done") {
      yield "blocked";
      continue;
    }
    const ranks = await readRanks(
      clanId,
      page.value.items.map(({ platformId }) => platformId),
    );
    const known = page.value.items.flatMap((person) => {
      const rank = ranks.get(person.platformId);
      return rank ? [{ ...person, rank }] : [];
    });
    const differing = known.filter((person) => isDifferent(lane, person));
    members += known.length;
    for (const person of differing.slice(0, DIFFERENCES_MAX - differences.length))
      differences.push(differenceOf(lane, person));
    if (!dryRun) {
      await noteSynced(deps, destinationId, known.filter((person) => !differing.includes(person)));
      for (const person of differing) {
        if (await applyDifference(deps, { held, lane }, person)) changed += 1;
        yield "progress";
      }
    }
    after = page.value.next;
    if (after === null || after === from) break;
    yield "progress";
  }
  if (!dryRun) await syncs.settleOthers(destinationId, since);
  return { members, changed, differences };
}

type Person = RolesOf & { rank: MemberRank };

async function* listMembers(
  { members, syncs, readRanks }: FullSyncDeps,
  { held, lane }: { held: HeldDestination; lane: RoleLane },
): AsyncGenerator<void> {
  const { destinationId, clanId } = held.destination;
  for (let after: MemberPosition | null = null; ; ) {
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
    await syncs.note(
      destinationId,
      noIds.map((platformId) => ({ platformId, outcome: "not_an_id", reason: null })),
    );
    after = page.next;
    if (after === null) return;
    yield;
  }
}

function isDifferent({ mapping }: RoleLane, { rank, has }: Person): boolean {
  const { assign, unassign } = roleChangeOf(mapping, rank, has);
  return assign.length + unassign.length > 0;
}

export function differenceOf({ mapping }: RoleLane, { platformId, rank, has }: Person): RoleDifference {
  return { platformId, rank: rank.rank, has: mappedRoles(mapping, has), wants: wantedRoles(mapping, rank) };
}

async function noteSynced({ syncs, meter }: FullSyncDeps, destinationId: string, same: readonly Person[]) {
  await syncs.note(
    destinationId,
    same.map(({ platformId }) => ({ platformId, outcome: "synced", reason: null })),
  );
  for (const _ of same) meter.roleSync("synced");
}

/** True if roles were changed. What could not be decided is compared again soon. */
async function applyDifference(
  { syncs, meter }: FullSyncDeps,
  { held, lane }: { held: HeldDestination; lane: RoleLane },
  person: Person,
): Promise<boolean> {
  const { platformId } = person;
  const compared = await applyRank(lane, person);
  if (compared.kind !== "settled") {
    await syncs.mark(held.destination, [platformId], { dueInMs: 0, waitMsMax: 0 });
    return false;
  }
  const { outcome, reason, isChanged } = compared;
  await syncs.note(held.destination.destinationId, [{ platformId, outcome, reason }]);
  meter.roleSync(outcome);
  return isChanged;
}
