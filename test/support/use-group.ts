// The set-up of tests of roles: an API and a worker, and for each test a clan, a stand-in for a Roblox group, and a
// destination that makes its roles follow.
import { afterEach, beforeEach } from "vitest";
import { makeRobloxGroups } from "#delivery/couriers/roblox-groups.ts";
import { makeSendToService } from "#delivery/couriers/send-to-service.ts";
import { makeClanCaller, type ClanCaller } from "./clan-caller.ts";
import { startFakeRoblox, type FakeRoblox } from "./fake-roblox.ts";
import { makeRoleFollower, type RoleFollower } from "./role-follower.ts";
import { useApi } from "./use-api.ts";
import type { World } from "./world.ts";

/** Role ids of the stand-in. */
export const [MEMBER, RECRUIT, VETERAN, ELITE, MODERATOR, OWNER] = ["1001", "1010", "1020", "1030", "1099", "1255"];
export const ROLES = { Recruit: RECRUIT, Veteran: VETERAN, Elite: ELITE };
/** Longer than a machine that is busy keeps the stand-in waiting. */
const TIMEOUT_MS = 20_000;

export type GroupSuite = {
  world: World;
  /** Those of the test that is running. */
  at: { roblox: FakeRoblox; clan: ClanCaller; follower: RoleFollower };
  /** `timeoutMs`: for a response of Roblox. */
  follow(options?: Partial<Parameters<typeof makeRoleFollower>[2]> & { timeoutMs?: number }): Promise<void>;
  /** Adds these people, with these roles. */
  inGroup(members: Record<string, string[]>): void;
  rolesOf(userId: string): string[];
  /** The changes that Roblox was asked for: `<user id> +<role id>`. */
  changes(): string[];
  /** A full sync has ended after this time. */
  isSynced(since?: Date): Promise<boolean>;
};

export async function useGroup(): Promise<GroupSuite> {
  const { world, port } = await useApi({ worker: true });
  const at = {} as GroupSuite["at"];
  beforeEach(async () => {
    at.roblox = await startFakeRoblox();
    at.clan = await makeClanCaller(world, port);
  });
  afterEach(async () => {
    await at.follower.close();
    await at.roblox.close();
  });

  return {
    world,
    at,
    async follow({ timeoutMs = TIMEOUT_MS, ...options } = {}) {
      const { url, groupId, key } = at.roblox;
      const send = makeSendToService({ serviceUrl: url });
      at.follower = await makeRoleFollower(world, at.clan.clanId, {
        kind: "roblox-group",
        service: makeRobloxGroups({ send, baseUrl: url, timeoutMs }),
        target: groupId,
        credential: key,
        roles: ROLES,
        ...options,
      });
    },
    inGroup(members) {
      for (const [userId, roles] of Object.entries(members)) at.roblox.members.set(userId, new Set(roles));
    },
    rolesOf: (userId) => [...(at.roblox.members.get(userId) ?? [])].toSorted(),
    changes: () => at.roblox.seen.filter(({ method }) => method === "POST").map(textOf),
    async isSynced(since = new Date(0)) {
      const doc = await world.database.stored.destinations.findOne({ _id: at.follower.destinationId });
      return doc !== null && doc.run.syncedAt !== null && doc.run.syncedAt > since;
    },
  };
}

function textOf({ path, body }: { path: string; body?: any }): string {
  const [userId, verb] = path.split("/").at(-1)?.split(":") ?? [];
  return `${userId} ${verb === "assignRole" ? "+" : "-"}${body.role.split("/").at(-1)}`;
}
