// The activity of a clan. Minutes and hours without an award are included, with zeros.
import type { overviewEndpoints, Span } from "#contract/dashboard/overview.ts";
import { entryResponse } from "#contract/render.ts";
import type { Minute, ReadActivity } from "#usecases/activity/read-activity.ts";
import type { NameStore } from "#usecases/names/ports.ts";
import type { Routes } from "../http/route.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MINUTES = 60;
const HOURS = 24;

export function makeOverviewRoutes({
  readActivity,
  names,
}: {
  readActivity: ReadActivity;
  names: Pick<NameStore, "read">;
}): Routes<typeof overviewEndpoints> {
  return {
    async "read-overview"({ params: { clanId } }) {
      const { asOf, members, xp, minutes, newest } = await readActivity(clanId);
      const nameOf = await names.read(
        clanId,
        newest.map(({ platformId }) => platformId),
      );
      return {
        asOf: asOf.toISOString(),
        members,
        xp: xp.toString(),
        minutes: spansOf(minutes, { lengthMs: MINUTE_MS, count: MINUTES, until: asOf }),
        hours: spansOf(minutes, { lengthMs: HOUR_MS, count: HOURS, until: asOf }),
        newest: newest.map((entry) => ({
          ...entryResponse(entry),
          platformId: entry.platformId,
          name: nameOf.get(entry.platformId) ?? null,
          ...(entry.actor === undefined ? {} : { actor: entry.actor }),
        })),
      };
    },
  };
}

/** The last `count` spans of this length, oldest first; the last one contains `until`. */
function spansOf(
  minutes: readonly Minute[],
  { lengthMs, count, until }: { lengthMs: number; count: number; until: Date },
): Span[] {
  const lastMs = Math.floor(until.getTime() / lengthMs) * lengthMs;
  const spans = Array.from({ length: count }, (_, index) => ({
    startMs: lastMs - (count - 1 - index) * lengthMs,
    awards: 0,
    xp: 0n,
  }));
  for (const { startMs, awards, xp } of minutes) {
    const span = spans[count - 1 - Math.floor((lastMs + lengthMs - 1 - startMs) / lengthMs)];
    if (!span) continue;
    span.awards += awards;
    span.xp += xp;
  }
  return spans.map(({ startMs, awards, xp }) => ({ start: new Date(startMs).toISOString(), awards, xp: String(xp) }));
}
