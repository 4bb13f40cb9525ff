// A clan with a game server that calls for it: what most tests begin with.
import type { Clan } from "#domain/clan.ts";
import type { Scope } from "#domain/scope.ts";
import { expectResponse } from "./responses.ts";
import { callerOf, type Caller, type Reply, type SentHeaders } from "./http.ts";
import type { World } from "./world.ts";
import { testActor } from "./actor.ts";
import { until } from "./until.ts";

/** Headers of a batch that waits as long as it may for its results: a busy machine may need more than the default. */
export const PATIENT: SentHeaders = { prefer: "wait=30" };

/** Paths of `send`, `post` and `get` begin below `/v0/clans/{clanId}`. */
export type ClanCaller = Caller & {
  clan: Clan;
  clanId: string;
  key: string;
  award(platformId: string, award: object, headers?: SentHeaders): Promise<Reply>;
  /** The same with `?include=change`. */
  awardChange(platformId: string, award: object, headers?: SentHeaders): Promise<Reply>;
  /** Several awards in one call. */
  awards(awards: unknown, query?: "?include=change"): Promise<Reply>;
  submit(awards: unknown, headers?: SentHeaders): Promise<Reply>;
  xpOf(platformId: string): Promise<string>;
  /** The ledger of a member, the newest entry first, at most 200. */
  entriesOf(platformId: string): Promise<any[]>;
  /** Changes the clan's settings and resolves when this API process applies them. */
  change(changes: Partial<Omit<Clan, "clanId" | "name">>): Promise<void>;
  /** The same key at another API process. */
  on(port: number): ClanCaller;
  /** The same clan through another key (null: without one). */
  with(key: string | null): Caller;
};

/** A new clan as `world.makeClan` makes it, and its caller at the API on `port`. */
export async function makeClanCaller(
  world: World,
  port: number,
  changes: Partial<Clan> = {},
  scopes?: readonly Scope[],
): Promise<ClanCaller> {
  const { clan, key } = await world.makeClan(changes, scopes);
  return clanCallerOf(world, port, clan, key);
}

function clanCallerOf(world: World, port: number, clan: Clan, key: string): ClanCaller {
  const base = `/v0/clans/${clan.clanId}`;
  const caller = callerOf(port, key, base);
  return {
    ...caller,
    clan,
    clanId: clan.clanId,
    key,
    award: (platformId, award, headers) => caller.post(`/members/${platformId}/xp`, award, headers),
    awardChange: (platformId, award, headers) =>
      caller.post(`/members/${platformId}/xp?include=change`, award, headers),
    awards: (awards, query) => caller.post(`/awards${query ?? ""}`, { awards }),
    submit: (awards, headers) => caller.post("/xp", { awards }, headers),
    xpOf: async (platformId) => expectResponse("read-member", await caller.get(`/members/${platformId}`)).xp,
    entriesOf: async (platformId) =>
      expectResponse("read-ledger", await caller.get(`/members/${platformId}/ledger?limit=200`)).entries,
    async change(changes) {
      // The name rides along: it shows when the process has read the change.
      const name = `changed ${crypto.randomUUID()}`;
      await world.clans.change(clan.clanId, { ...changes, name }, testActor);
      await until(async () => (await caller.get("")).body.name === name);
    },
    on: (otherPort) => clanCallerOf(world, otherPort, clan, key),
    with: (otherKey) => callerOf(port, otherKey, base),
  };
}
