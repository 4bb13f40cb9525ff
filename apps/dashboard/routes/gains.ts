// Who gained how much in a span, by the same counts as the API and the command line, and the chart of what a member
// gained.
import type { GainPage, gainEndpoints } from "#contract/dashboard/gains.ts";
import { GainsCursor, gainsCursor, SearchCursor, searchCursor } from "#contract/page.ts";
import { gainsFacts, gainsRow, memberGainsResponse } from "#contract/render-gains.ts";
import { filled } from "#domain/page.ts";
import { timestampOf } from "#domain/timestamp.ts";
import { csvOf } from "#export/csv-text.ts";
import { gainRows } from "#export/gain-rows.ts";
import type { GainCount, GainRow, GainSpan } from "#gains/ports.ts";
import type { ReadGainChart } from "#gains/read-gain-chart.ts";
import type { ReadGains } from "#gains/read-gains.ts";
import { FILTERED_READS_MAX } from "#members/bounds.ts";
import type { SearchMembers } from "#members/search-members.ts";
import type { NameStore } from "#names/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";

const ROWS_PER_PAGE = 50;
/** An export waits for a count as often as this: half a minute, which most counts take. */
const COUNT_WAITS_MAX = 15;
const RETRY_AFTER_S = 5;

type Listed = { items: readonly GainRow[]; nextCursor: string | null };

export function makeGainRoutes(deps: {
  gains: ReadGains;
  readGainChart: ReadGainChart;
  searchMembers: SearchMembers;
  names: Pick<NameStore, "read">;
}): Routes<typeof gainEndpoints> {
  const { gains, readGainChart, searchMembers, names } = deps;

  /** Members in the order in which the search finds them. */
  async function found(count: GainCount, text: string, cursor: string | undefined): Promise<Listed> {
    const page = { limit: ROWS_PER_PAGE, after: positionIn(SearchCursor, cursor) };
    const { items, next } = await filled(page, FILTERED_READS_MAX, async (part) => {
      const searched = await searchMembers(count.clanId, { text, ...part });
      const platformIds = searched.items.map(({ platformId }) => platformId);
      return { ...(await gains.list(count, "most", { kind: "named", platformIds })), next: searched.next };
    });
    return { items, nextCursor: next && searchCursor(next) };
  }

  async function counted(clanId: string, span: GainSpan): Promise<GainCount> {
    for (let waits = 0; waits < COUNT_WAITS_MAX; waits += 1) {
      const count = await gains.count(clanId, span);
      if (count) return count;
    }
    const detail = "The span is still being counted. Export it again in some seconds.";
    throw new DashboardError("busy", detail, { retryAfterS: RETRY_AFTER_S });
  }

  async function shown(count: GainCount, { items, nextCursor }: Listed): Promise<GainPage> {
    const { asOf, totals } = gainsFacts(count);
    const ids = items.map(({ platformId }) => platformId);
    const known = await names.read(count.clanId, ids);
    const members = items.map((row) => ({ ...gainsRow(row), name: known.get(row.platformId) ?? null }));
    return { counted: { asOf, totals }, members, nextCursor };
  }

  return {
    async "list-gains"({ params: { clanId }, query: { search, cursor, ...span } }) {
      const after = search === undefined ? positionIn(GainsCursor, cursor) : null;
      const count = await gains.count(clanId, spanOf(span), after);
      if (!count) return { counted: null, members: [], nextCursor: null };
      if (search !== undefined) return shown(count, await found(count, search, cursor));
      const { items, next } = await gains.list(count, "most", { kind: "page", limit: ROWS_PER_PAGE, after });
      return shown(count, { items, nextCursor: next && gainsCursor(next) });
    },

    async "export-gains"({ params: { clanId }, query }) {
      const count = await counted(clanId, spanOf(query));
      const rows = gainRows({ gains, names }, count, { order: "most", limit: Infinity });
      const [from, to] = [count.from, count.to].map((time) => time.toISOString().slice(0, "2026-11-21".length));
      return { fileName: `${clanId}-gains-${from}-${to}.csv`, text: csvOf("gains", rows) };
    },

    async "read-member-gains"({ params, query: { range, timeZone } }) {
      const { every, gains: parts } = await readGainChart(params, range, timeZone);
      return memberGainsResponse(params.platformId, { every, timeZone }, parts);
    },
  };
}

function spanOf({ from, to }: { from: string; to: string }): GainSpan {
  return { from: timestampOf(from), to: timestampOf(to) };
}
