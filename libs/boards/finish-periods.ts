// Makes periods final: their standings are copied with their positions, under a name that no process counts for, and
// their events say what happened in them.
//
// Invariant: a period is final once every entry dated before its `finalAt` is counted. The record of each process says
// which of its entries are projected; those of a process that has crashed are projected here.
import type { LedgerChanges, ProcessStore } from "#ledger/ports.ts";
import type { RebuildThese } from "#ledger/rebuild-members.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";
import { pause } from "#async/pause.ts";
import type { PeriodResult } from "#domain/event.ts";
import {
  CHANGES_MS_MIN,
  CHANGES_STEP_MS,
  COMMIT_LATE_MS_MAX,
  FINISH_MS_MAX,
  MARK_MARGIN_MS,
  SILENT_MS,
  STANDINGS_PER_COPY,
} from "#boards/bounds.ts";
import { guardAge } from "#boards/count-anew.ts";
import type {
  CountChanges,
  PeriodStore,
  StandingPlace,
  StandingStore,
  StoredBoard,
  StoredPeriod,
} from "#boards/ports.ts";
import type { ClanStore } from "#clans/ports.ts";

/** Throws AppError `unavailable`. */
export type FinishPeriods = {
  /** Of these, the ones whose entries are all projected, some by this call. To be read before the last count. */
  listRipe(clanId: string, periods: readonly StoredPeriod[], now: Date): Promise<StoredPeriod[]>;
  finish(board: StoredBoard, period: StoredPeriod): Promise<void>;
};

type FinishDeps = {
  processes: Pick<ProcessStore, "listNotes">;
  reader: LedgerChanges;
  rebuildThese: RebuildThese;
  periods: Pick<PeriodStore, "newest" | "beginFinal" | "finish">;
  standings: Pick<StandingStore, "list" | "sum" | "insertFinal">;
  clans: Pick<ClanStore, "read">;
  countChanges: CountChanges;
  clock: Pick<Clock, "agingMs">;
  log: Log;
};

export function makeFinishPeriods(deps: FinishDeps): FinishPeriods {
  const { processes, reader, rebuildThese, periods, standings, clock, log } = deps;

  async function listRipe(clanId: string, open: readonly StoredPeriod[], now: Date): Promise<StoredPeriod[]> {
    const isPast = ({ finalAt, countedAt }: StoredPeriod): boolean =>
      countedAt !== null && now.getTime() - finalAt.getTime() > COMMIT_LATE_MS_MAX;
    const past = open.filter(isPast);
    if (past.length === 0) return [];
    const notes = await processes.listNotes();
    const [silent, alive] = [
      notes.filter(({ silentMs }) => silentMs > SILENT_MS),
      notes.filter(({ silentMs }) => silentMs <= SILENT_MS),
    ];
    const projectedToMs = Math.min(...alive.map(({ projectedTo }) => projectedTo.getTime() + MARK_MARGIN_MS));
    const ripe = past.filter(({ finalAt }) => finalAt.getTime() <= projectedToMs);
    // Workers project what a crashed process has left. Without a worker, this does.
    const left = silent.filter(({ passes }) => passes === 0).map(({ projectedTo }) => projectedTo.getTime());
    if (ripe.length > 0 && left.length > 0)
      for await (const members of reader.listChanged([clanId], new Date(Math.min(...left))))
        await rebuildThese(members);
    return ripe;
  }

  async function finish(board: StoredBoard, period: StoredPeriod): Promise<void> {
    const { clanId, name, schedule } = board;
    const previous = await periods.newest(period.boardUid, { ended: period.startsAt });
    const summary = period.isSilent ? null : await summaryOf(deps, clanId, period);
    const requireInTime = guardAge(clock, FINISH_MS_MAX);
    const rows = await periods.beginFinal(period);
    if (rows === null) return;
    let [members, position, lastXp] = [0, 0, null as bigint | null];
    for (let after: StandingPlace | null = null, isFirst = true; isFirst || after; isFirst = false) {
      const requireRecent = guardAge(clock);
      const page = await standings.list(period.rows, { limit: STANDINGS_PER_COPY, after });
      const copied = page.items.map((standing) => {
        members += 1;
        if (standing.xp !== lastXp) [position, lastXp] = [members, standing.xp];
        return { ...standing, position };
      });
      // A member who was erased meanwhile must not be copied.
      requireRecent();
      await standings.insertFinal(rows, clanId, copied);
      after = page.next;
    }
    requireInTime();
    const { every } = schedule;
    const timeZone = schedule.every === "season" ? "UTC" : schedule.timeZone;
    const shown: PeriodResult["board"] = { name, every, timeZone, isFirst: previous === null };
    const result = summary && { summary: { ...summary, members }, board: shown };
    const isFinished = await periods.finish(period, { clanId, rows, members, previous, result });
    const { boardId, periodId } = period;
    if (isFinished) log.info({ clanId, boardId, periodId, members }, "board.period_final");
  }

  return { listRipe, finish };
}

/** What its event says beside the members. The ledger and the standings do not change any more. */
async function summaryOf(
  { standings, clans, countChanges, clock }: FinishDeps,
  clanId: string,
  { rows, startsAt, endsAt }: StoredPeriod,
) {
  const { awards, xp } = await standings.sum(rows);
  const { ranks } = (await clans.read([clanId])).get(clanId) ?? { ranks: [] };
  const counts = { joined: 0, left: 0, rose: 0, fell: 0 };
  for (let from = startsAt; from < endsAt;) {
    const to = new Date(Math.min(from.getTime() + CHANGES_STEP_MS, endsAt.getTime()));
    const beganAtMs = clock.agingMs();
    const found = await countChanges({ clanId, ranks }, { from, to });
    for (const name of ["joined", "left", "rose", "fell"] as const) counts[name] += found[name];
    const tookMs = clock.agingMs() - beganAtMs;
    if (tookMs > CHANGES_MS_MIN) await pause(tookMs);
    from = to;
  }
  return { awards, xp: xp.toString(), ...counts };
}
