// The orders of open periods, from which positions are derived: read once for each time that standings were caught up,
// however often they are asked for.
import { dropOldest } from "#async/drop-oldest.ts";
import { positionsOf, sizeOf, type Position } from "#domain/position.ts";
import { PERIODS_ORDERED_MAX } from "#boards/bounds.ts";
import type { MemberStanding, StandingPlace } from "#boards/ports.ts";
import { makeReadOrder } from "#members/leaderboard.ts";
import type { OrderStore } from "#members/ports.ts";
import type { Clock } from "#kernel/clock.ts";

type PeriodOrder = {
  /** Members on the board. */
  size: number;
  positions(members: readonly MemberStanding[]): ReadonlyMap<string, Position | null>;
};

/** The order of these standings, at least as new as `asOf`. Throws AppError `unavailable`. */
export type PeriodOrders = (rows: string, asOf: Date) => Promise<PeriodOrder>;

export function makePeriodOrders({
  store,
  clock,
}: {
  store: OrderStore<StandingPlace>;
  clock: Pick<Clock, "agingMs">;
}): PeriodOrders {
  const readOrder = makeReadOrder({ store, sizeMax: PERIODS_ORDERED_MAX, clock });
  const orders = new Map<string, { asOf: Date; order: Promise<PeriodOrder> }>();

  async function load(rows: string): Promise<PeriodOrder> {
    const order = await readOrder(rows);
    return {
      size: sizeOf(order),
      positions: (members) =>
        positionsOf(
          order,
          members.map(({ platformId, xp }) => ({ platformId, xp })),
        ),
    };
  }

  return (rows, asOf) => {
    const known = orders.get(rows);
    if (known && known.asOf >= asOf) return known.order;
    const loaded = { asOf, order: load(rows) };
    loaded.order.catch(() => {
      if (orders.get(rows) === loaded) orders.delete(rows);
    });
    orders.delete(rows);
    orders.set(rows, loaded);
    dropOldest(orders, PERIODS_ORDERED_MAX);
    return loaded.order;
  };
}
