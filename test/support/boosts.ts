// Boosts with any window, also one that the command line would reject, as a test needs it.
import type { Boost, StoredBoost } from "#domain/boost.ts";
import { makeIds } from "#process/ids.ts";
import { systemClock } from "#process/clock.ts";
import { makeBoostStore } from "#boosts/store/boost-store.ts";
import type { BoostStore } from "#boosts/ports.ts";
import { testActor } from "./actor.ts";
import { actsInTime } from "./acts-in-time.ts";
import type { ClanCaller } from "./clan-caller.ts";
import type { World } from "./world.ts";

/** Half a day before now until half a day after it. */
const HALF_DAY_MS = 12 * 60 * 60_000;

export type Boosts = {
  store: BoostStore;
  /** Stores it: by default it doubles all awards, and runs for a day. */
  put(clanId: string, changes?: Partial<Boost>): Promise<StoredBoost>;
  /** Stores it, and resolves when all of these API processes know it, each within a second. */
  run(clans: readonly ClanCaller[], changes?: Partial<Boost>): Promise<StoredBoost>;
  /** Ends it, and resolves when all of these API processes know it, each within a second. */
  end(clans: readonly ClanCaller[], boost: StoredBoost): Promise<void>;
};

export function boostsOf(world: Pick<World, "database">): Boosts {
  const store = makeBoostStore(world.database);
  const ids = makeIds(systemClock);

  async function put(clanId: string, changes: Partial<Boost> = {}): Promise<StoredBoost> {
    const now = new Date();
    const [from, to] = [now.getTime() - HALF_DAY_MS, now.getTime() + HALF_DAY_MS].map((ms) => new Date(ms)) as [
      Date,
      Date,
    ];
    const rules = { name: "Double XP", percent: 200, from, to, ranks: [], placeIds: [] };
    const boost = { boostId: ids.boost(), clanId, ...rules, ...changes, createdAt: now, endedAt: null };
    if (!(await store.add(clanId, [boost], { max: 20, now }, testActor))) throw new Error("not added");
    return boost;
  }

  async function isListed(clan: ClanCaller, { boostId }: StoredBoost): Promise<boolean> {
    const { body } = await clan.get("?include=boosts");
    return body.boosts.some((boost: { boostId: string }) => boost.boostId === boostId);
  }

  return {
    store,
    put,
    async run(clans, changes) {
      const boost = await put(clans[0]?.clanId ?? "", changes);
      await Promise.all(clans.map((clan) => actsInTime(() => isListed(clan, boost))));
      return boost;
    },
    async end(clans, boost) {
      await store.end(boost, new Date(), testActor);
      await Promise.all(clans.map((clan) => actsInTime(async () => !(await isListed(clan, boost)))));
    },
  };
}
