// Finds a board's periods, also by their names `current` and `previous`, and the next one that is coming.
import { AppError } from "#kernel/app-error.ts";
import { boundariesAround, finalAtOf, periodIdOf, statusOf, type Period, type PeriodStatus } from "#domain/period.ts";
import type { PeriodOrders } from "#boards/period-orders.ts";
import type { PeriodStore, StoredBoard, StoredPeriod } from "#boards/ports.ts";

export type ShownPeriod = Omit<Period, "isFinal"> & { status: PeriodStatus; members: number };

export function makeFindPeriod({
  periods,
  orders,
}: {
  periods: Pick<PeriodStore, "read" | "newest" | "next">;
  orders: PeriodOrders;
}) {
  async function shown(period: StoredPeriod, now: Date, asOf: Date): Promise<ShownPeriod> {
    const { periodId, startsAt, endsAt, finalAt } = period;
    const members = period.members ?? (startsAt > now ? 0 : (await orders(period.rows, asOf)).size);
    return { periodId, startsAt, endsAt, finalAt, status: statusOf(period, now), members };
  }

  async function running({ uid }: StoredBoard, now: Date): Promise<StoredPeriod | null> {
    const newest = await periods.newest(uid, { begun: now });
    return newest && now < newest.endsAt ? newest : null;
  }

  /** The period that comes next: of a season it is stored, others follow from the schedule. */
  async function upcoming(board: StoredBoard, now: Date): Promise<ShownPeriod | null> {
    const { schedule, settleMs, coveredTo, uid, asOf } = board;
    const stored = await periods.next(uid, now);
    if (stored) return shown(stored, now, asOf);
    if (schedule.every === "season" || coveredTo === null) return null;
    const endsAt = boundariesAround(schedule, coveredTo).next;
    const times = { startsAt: coveredTo, endsAt, finalAt: finalAtOf(endsAt, settleMs) };
    return { periodId: periodIdOf(coveredTo), ...times, status: "upcoming", members: 0 };
  }

  async function find(board: StoredBoard, periodId: string, now: Date): Promise<StoredPeriod | ShownPeriod> {
    const found = await byName(board, periodId, now);
    if (found) return found;
    const next = await upcoming(board, now);
    if (next?.periodId === periodId) return next;
    const detail =
      periodId === "current"
        ? "The board has no period that is running now."
        : periodId === "previous"
          ? "No period of the board has ended."
          : `The board has no period "${periodId}".`;
    throw new AppError("period_not_found", detail);
  }

  function byName(board: StoredBoard, periodId: string, now: Date): Promise<StoredPeriod | null> {
    if (periodId === "current") return running(board, now);
    if (periodId === "previous") return periods.newest(board.uid, { ended: now });
    return periods.read(board.uid, periodId);
  }

  return { shown, running, upcoming, find };
}
