// A clan's activity per minute of the last day. It is derived from the ledger on request, so it has no cost per award,
// and a crash loses nothing: reading it again gives the same result.
import {
  ACTIVITY_FRESH_MS,
  ACTIVITY_REREAD_MS,
  ACTIVITY_FULL_READ_MS,
  CLANS_WATCHED_MAX,
} from "#usecases/clans/bounds.ts";
import type { Entry } from "#domain/entry.ts";
import type { Leaderboard } from "#usecases/members/leaderboard.ts";
import type { MemberLists } from "#usecases/members/member-lists.ts";
import type { Clock } from "#runtime/ports.ts";

export type Minute = { startMs: number; awards: number; xp: bigint };
export type Activity = {
  asOf: Date;
  members: number;
  xp: bigint;
  minutes: readonly Minute[];
  newest: readonly Entry[];
};

/** Throws AppError `unavailable`. */
export type ActivityStore = {
  /** The minutes with any activity; the first and the last are partial. */
  minutes(clanId: string, range: { from: Date; to: Date }): Promise<Minute[]>;
  /** The newest entries of the clan. */
  newest(clanId: string, limit: number): Promise<Entry[]>;
};

export type ReadActivity = (clanId: string) => Promise<Activity>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NEWEST = 10;

type Known = { readMs: number; fullReadMs: number; activity: Activity };

export function makeReadActivity(deps: {
  store: ActivityStore;
  lists: Pick<MemberLists, "count">;
  leaderboard: Pick<Leaderboard, "totals">;
  clock: Clock;
}): ReadActivity {
  const { store, lists, leaderboard, clock } = deps;
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<Activity>>();

  /**
   * Reads the whole day from time to time, because an entry can be stored minutes after its time; otherwise only what
   * may still change.
   */
  async function readAgain(clanId: string): Promise<Activity> {
    const [before, nowMs, asOf] = [known.get(clanId), clock.agingMs(), clock.now()];
    const isFullRead = !before || nowMs - before.fullReadMs >= ACTIVITY_FULL_READ_MS;
    const dayAgoMs = minuteOf(asOf.getTime() - DAY_MS);
    const fromMs = isFullRead
      ? dayAgoMs
      : Math.max(dayAgoMs, minuteOf(Math.min(before.activity.asOf.getTime(), asOf.getTime()) - ACTIVITY_REREAD_MS));
    const [read, newest, members, { xp }] = await Promise.all([
      store.minutes(clanId, { from: new Date(fromMs), to: new Date(asOf.getTime() + MINUTE_MS) }),
      store.newest(clanId, NEWEST),
      lists.count(clanId),
      leaderboard.totals(clanId),
    ]);
    const recent = (before?.activity.minutes ?? []).filter(({ startMs }) => startMs >= dayAgoMs && startMs < fromMs);
    const activity = {
      asOf,
      members,
      xp,
      newest,
      minutes: [...recent, ...read.toSorted((a, b) => a.startMs - b.startMs)],
    };
    known.delete(clanId);
    known.set(clanId, { readMs: nowMs, fullReadMs: isFullRead ? nowMs : before.fullReadMs, activity });
    const [oldest] = known.keys();
    if (known.size > CLANS_WATCHED_MAX && oldest !== undefined) known.delete(oldest);
    return activity;
  }

  return async function readActivity(clanId) {
    const found = known.get(clanId);
    if (found && clock.agingMs() - found.readMs < ACTIVITY_FRESH_MS) return found.activity;
    const running = reading.get(clanId) ?? readAgain(clanId).finally(() => reading.delete(clanId));
    reading.set(clanId, running);
    return running;
  };
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
