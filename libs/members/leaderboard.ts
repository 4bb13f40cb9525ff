// Positions in a clan's leaderboard, and the clan's totals. They cost awards nothing, and the database the same however
// often they are read: docs/decisions/0050-positions-from-an-index.md.
import { makePacedCache, type Ages, type RunStep } from "#async/paced-cache.ts";
import { makeTtlCache } from "#async/ttl-cache.ts";
import type { Member } from "#domain/member.ts";
import { EXACT_POSITIONS_MAX, positionsOf, type Fence, type Position, type XpOrder } from "#domain/position.ts";
import { agesOfCount } from "#members/ages-of-count.ts";
import { CLANS_ORDERED_MAX, FENCE_SHARE, ORDER_AGE_MAX_MS } from "#members/bounds.ts";
import type { LeaderboardStore, OrderStore } from "#members/ports.ts";
import type { Totals } from "#domain/totals.ts";
import type { Clock } from "#kernel/clock.ts";

/** Throws AppError `unavailable`. */
export type Leaderboard = {
  /** By platformId, the positions of these members; null for those on no leaderboard. */
  positions(clanId: string, members: readonly Member[]): Promise<ReadonlyMap<string, Position | null>>;
  /** The order from which positions are derived: those of many members, read one after the other, then agree. */
  order(clanId: string): Promise<XpOrder>;
  totals(clanId: string): Promise<Totals>;
};

/**
 * `catchUp` makes every process project what it has committed in the clan; `anew`, because the result is cached for as
 * long as it may be behind.
 */
export function makeLeaderboard(deps: {
  store: LeaderboardStore;
  catchUp: (clanId: string, options: { anew: true }) => Promise<unknown>;
  clock: Pick<Clock, "now" | "agingMs">;
}): Leaderboard {
  const { store, catchUp, clock } = deps;
  const common = { sizeMax: CLANS_ORDERED_MAX, clock };
  const readOrder = makeReadOrder({ store, sizeMax: CLANS_ORDERED_MAX, clock });
  const totals = makePacedCache({
    ...common,
    load: readTotals,
    agesOf: ({ members }, busyMs) => agesOfCount(members, busyMs),
  });
  const orders = makeTtlCache<XpOrder>({
    ...common,
    ageMaxMs: ORDER_AGE_MAX_MS,
    async load(clanIds) {
      const read = await Promise.all(clanIds.map(async (clanId) => [clanId, await readNow(clanId)] as const));
      return new Map(read);
    },
  });

  async function readNow(clanId: string): Promise<XpOrder> {
    await catchUp(clanId, { anew: true });
    return readOrder(clanId);
  }

  async function readTotals(clanId: string, run: RunStep): Promise<Totals> {
    const asOf = clock.now();
    await catchUp(clanId, { anew: true });
    return { ...(await run(() => store.total(clanId))), asOf };
  }

  async function order(clanId: string): Promise<XpOrder> {
    return (await orders.get(clanId)) ?? { first: new BigInt64Array(), fences: [] };
  }

  return {
    order,
    positions: async (clanId, members) => positionsOf(await order(clanId), members),
    totals,
  };
}

/** Reads the first positions now, and fences beyond them as of the last count. Throws AppError `unavailable`. */
export function makeReadOrder<Place extends { xp: bigint }>({
  store,
  ...common
}: {
  store: OrderStore<Place>;
  sizeMax: number;
  clock: Pick<Clock, "agingMs">;
}): (id: string) => Promise<XpOrder> {
  const fences = makePacedCache({ ...common, load: findFences, agesOf: agesOfFences });

  /**
   * Their distance grows with the position, so the number of members need not be known before: a position is off by
   * less than its share FENCE_SHARE.
   */
  async function findFences(id: string, run: RunStep): Promise<Fence[]> {
    const found: Fence[] = [];
    let [at, step] = [1, EXACT_POSITIONS_MAX - 1];
    let place = await run(() => store.skip(id, null, step));
    for (let from = place; from; from = place) {
      at += step;
      found.push({ at, xp: from.xp });
      step = Math.ceil(at * FENCE_SHARE);
      place = await run(() => store.skip(id, from, step));
      if (place) continue;
      // This member, and those after them.
      const last = await run(() => store.listXp(id, { from, limit: step }));
      found.push({ at: at + Math.max(last.length - 1, 0), xp: last.at(-1) ?? from.xp });
    }
    return found;
  }

  return async (id) => {
    const xps = await store.listXp(id, { from: null, limit: EXACT_POSITIONS_MAX + 1 });
    const first = BigInt64Array.from(xps.slice(0, EXACT_POSITIONS_MAX));
    return { first, fences: xps.length > EXACT_POSITIONS_MAX ? await fences(id) : [] };
  };
}

function agesOfFences(fences: readonly Fence[], busyMs: number): Ages {
  return agesOfCount(fences.at(-1)?.at ?? 0, busyMs);
}
