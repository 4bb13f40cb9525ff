// The activity of a clan. Spans without an entry are included, with zeros.
import type { overviewEndpoints, RangeSums } from "#contract/dashboard/overview.ts";
import { entryResponse, memberResponse } from "#contract/render.ts";
import { timeZoneOf } from "#domain/time-zone.ts";
import type { ReadActivity, SpanSums } from "#activity/read-activity.ts";
import type { ReadHighlights } from "#activity/read-highlights.ts";
import type { NameStore } from "#names/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

const RANGE_DEFAULT = "24h";

type Deps = { readActivity: ReadActivity; readHighlights: ReadHighlights; names: Pick<NameStore, "read"> };

export function makeOverviewRoutes({ readActivity, readHighlights, names }: Deps): Routes<typeof overviewEndpoints> {
  return {
    async "read-overview"({ params: { clanId }, query: { range = RANGE_DEFAULT, timeZone = "UTC" } }) {
      const zone = timeZoneOf(timeZone);
      if (!zone) throw new DashboardError("not_found", "There is no such time zone.");
      const { asOf, totals, spans, before, newest } = await readActivity(clanId, range, zone);
      const ids = newest.map(({ platformId }) => platformId);
      const nameOf = await names.read(clanId, ids);
      return {
        asOf: asOf.toISOString(),
        members: totals.members,
        xp: totals.xp.toString(),
        shown: range,
        range: sumsOf(spans),
        before: sumsOf(before),
        newest: newest.map((entry) => ({
          ...entryResponse(entry),
          platformId: entry.platformId,
          name: nameOf.get(entry.platformId) ?? null,
          ...(entry.actor === undefined ? {} : { actor: entry.actor }),
        })),
      };
    },

    async "read-highlights"({ params: { clanId } }) {
      const { clan, top, ranks } = await readHighlights(clanId);
      const counted = { asOf: ranks?.asOf.toISOString() ?? null, ranks: [...(ranks?.counts ?? [])] };
      if (typeof top === "string") return { ...counted, top };
      const ids = top.map(({ member }) => member.platformId);
      const extras = { names: await names.read(clanId, ids) };
      return {
        ...counted,
        top: top.map(({ member, gained }) => ({
          member: memberResponse(member, clan, extras),
          gained: String(gained),
        })),
      };
    },
  };
}

function sumsOf(spans: readonly SpanSums[]): RangeSums {
  const isCounted = spans.every((span) => span.isCounted);
  const xpOf = (source: "xp" | "byHand" | "imported"): string | null =>
    isCounted ? spans.reduce((sum, span) => sum + span[source], 0n).toString() : null;
  const countOf = (what: "awards" | "joined"): number | null =>
    isCounted ? spans.reduce((sum, span) => sum + span[what], 0) : null;
  return {
    spans: spans.map(({ startMs, isCounted: isKnown, ...span }) => ({
      start: new Date(startMs).toISOString(),
      awards: isKnown ? span.awards : null,
      xp: isKnown ? span.xp.toString() : null,
    })),
    awards: countOf("awards"),
    joined: countOf("joined"),
    xp: xpOf("xp"),
    byHand: xpOf("byHand"),
    imported: xpOf("imported"),
  };
}
