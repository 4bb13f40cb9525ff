// Histories of roles that were wrong once, each with the guarantee that it broke.
import { expect, test } from "vitest";
import type { MemberRank } from "#domain/role-change.ts";
import { runFullSync, type FullSyncDeps } from "#delivery/full-sync.ts";
import { webhookOf } from "../../support/destinations.ts";
import { CLAN } from "./oracle.ts";
import { makeFakeRoleSyncs } from "./fake-role-syncs.ts";

const ID = "dst_1";
const roles = { Recruit: "role-1", Veteran: "role-2" };
const RECRUIT: MemberRank = { rank: "Recruit", isMember: true };

/** Runs a full sync of the members of the group, who have no roles yet. Returns the changes that it made. */
async function syncAll(
  ranks: ReadonlyMap<string, MemberRank>,
  { group, syncs, onChange }: { group: readonly string[]; syncs: FullSyncDeps["syncs"]; onChange?: () => void },
): Promise<string[]> {
  const changes: string[] = [];
  const done = <Value>(value: Value) => ({ kind: "done", value, pauseMs: 0 });
  const client = {
    listMembers: async () => done({ items: group.map((platformId) => ({ platformId, has: [] })), next: null }),
    async assign(platformId: string, roleId: string) {
      changes.push(`${platformId} ${roleId}`);
      onChange?.();
      return done(null);
    },
  };
  const mapping = { target: "1", roles, requestsPerMinute: 6_000 };
  const at = {
    held: { destination: webhookOf(CLAN, ID, { kind: "roblox-group", mapping }), now: () => new Date() },
    lane: { kind: "roblox-group", mapping, ask: (_: unknown, request: (of: unknown) => unknown) => request(client) },
  } as unknown as Parameters<typeof runFullSync>[1];
  const deps = {
    syncs,
    readRanks: async (_: string, ids: readonly string[]) =>
      new Map(ids.flatMap((id) => (ranks.has(id) ? [[id, ranks.get(id)]] : []))),
    members: { list: async () => ({ items: [...ranks.keys()].map((platformId) => ({ platformId })), next: null }) },
    meter: { roleSync() {} },
  } as unknown as FullSyncDeps;
  for await (const _ of runFullSync(deps, at, { dryRun: false }));
  return changes;
}

test("a full sync applies the rank of the moment, not the one when the page was read", async () => {
  const ranks = new Map([
    ["1", RECRUIT],
    ["2", RECRUIT],
    ["3", RECRUIT],
  ]);
  const { syncs } = makeFakeRoleSyncs();
  const onChange = () => {
    ranks.set("2", { rank: "Veteran", isMember: true });
    ranks.delete("3");
  };
  const changes = await syncAll(ranks, { group: ["1", "2", "3"], syncs, onChange });
  expect(changes).toStrictEqual(["1 role-1", "2 role-2"]);
});

test("whom a process has listed that ended before it noticed that they are erased, the next full sync forgets", async () => {
  const { syncs, list } = makeFakeRoleSyncs();
  await syncs.list({ destinationId: ID, clanId: CLAN }, ["erased"]);
  await syncAll(new Map([["1", RECRUIT]]), { group: [], syncs });
  expect(list(ID).map(({ platformId, outcome }) => [platformId, outcome])).toStrictEqual([["1", "not_there"]]);
});
