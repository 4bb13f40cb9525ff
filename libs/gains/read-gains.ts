// Reads who gained how much in a span. A span is counted when somebody asks for it, by one process, and the count is
// stored: every process gives it until it is too old, and cursors go on in it.
import { pause } from "#async/pause.ts";
import { AppError } from "#kernel/app-error.ts";
import type { GainOrder } from "#domain/gains.ts";
import { filled, type Page } from "#domain/page.ts";
import { COUNT_WAIT_MS, CURSOR_MS_MIN, GAIN_ENTRIES_MAX } from "#gains/bounds.ts";
import { isFresh, type CountInTurn } from "#gains/count-in-turn.ts";
import type { GainCount, GainCounts, GainRow, GainSpan } from "#gains/ports.ts";

/** Where the list goes on in its order: at this place. */
export type GainsPosition = { countId: string; order: GainOrder; place: number };
export type GainsPart =
  | { kind: "page"; limit: number; after: GainsPosition | null }
  | { kind: "around"; platformId: string; limit: number }
  | { kind: "named"; platformIds: readonly string[] };

export type ReadGains = {
  /**
   * The count of a span, or the one that a cursor names. Null: it is being counted. Throws AppError `unavailable`,
   * `cursor_expired`, and `invalid_request` if the span has too many entries or the cursor is of another one.
   */
  count(clanId: string, span: GainSpan, cursor?: GainsPosition | null): Promise<GainCount | null>;
  /** Throws AppError `unavailable`, and `member_not_found` if the member of `around` is not in the list. */
  list(count: GainCount, order: GainOrder, part: GainsPart): Promise<Page<GainRow, GainsPosition>>;
};

export function makeReadGains(deps: { counts: GainCounts; countInTurn: CountInTurn }): ReadGains {
  const { counts, countInTurn } = deps;

  async function current(clanId: string, span: GainSpan): Promise<GainCount | null> {
    const found = await counts.newest(clanId, span);
    if (isFresh(found)) return found.count;
    await Promise.race([countInTurn(clanId, span), pause(COUNT_WAIT_MS)]);
    const { count, now } = await counts.newest(clanId, span);
    // A cursor of it must last.
    return count && count.expiresAt.getTime() - now.getTime() > CURSOR_MS_MIN ? count : null;
  }

  async function ofCursor(clanId: string, { from, to }: GainSpan, { countId }: GainsPosition): Promise<GainCount> {
    const count = await counts.read(clanId, countId);
    if (!count)
      throw new AppError(
        "cursor_expired",
        "The count of this cursor is not stored any more. Read from the first page.",
      );
    if (count.from.getTime() !== from.getTime() || count.to.getTime() !== to.getTime())
      throw new AppError("invalid_request", 'The query parameter "cursor" is of another span.');
    return count;
  }

  return {
    async count(clanId, span, cursor = null) {
      const count = await (cursor ? ofCursor(clanId, span, cursor) : current(clanId, span));
      if (count && !count.totals)
        throw new AppError(
          "invalid_request",
          `The span has more than ${GAIN_ENTRIES_MAX.toLocaleString("en")} ledger entries. Ask for a shorter one.`,
        );
      return count;
    },

    list: makeListRows(counts),
  };
}

function makeListRows(counts: Pick<GainCounts, "rows" | "places">): ReadGains["list"] {
  return async (count, order, part) => {
    const { countId } = count;
    const size = count.totals?.members ?? 0;
    const placeIn = (place: number): number => (order === "most" ? place : size - 1 - place);
    const nextAt = (place: number): GainsPosition | null => (place < size ? { countId, order, place } : null);

    /** In the order of the list, without those who were erased. */
    async function rows(from: number, to: number): Promise<GainRow[]> {
      const found = await (order === "most"
        ? counts.rows(count, from, to)
        : counts.rows(count, size - to, size - from));
      return (order === "most" ? found : found.toReversed()).flatMap((row) => row ?? []);
    }

    switch (part.kind) {
      case "page":
        return filled({ limit: part.limit, after: part.after }, Infinity, async ({ limit, after }) => {
          const from = after?.place ?? 0;
          const to = Math.min(size, from + limit);
          return { items: await rows(from, to), next: nextAt(to) };
        });
      case "around": {
        const own = (await counts.places(count, [part.platformId])).get(part.platformId);
        if (!own) throw new AppError("member_not_found", "This player has no award in this span.");
        const above = Math.floor((part.limit - 1) / 2);
        const from = Math.max(0, Math.min(placeIn(own.place) - above, size - part.limit));
        const to = Math.min(size, from + part.limit);
        return { items: await rows(from, to), next: nextAt(to) };
      }
      case "named": {
        const places = await counts.places(count, part.platformIds);
        return { items: part.platformIds.flatMap((id) => places.get(id)?.row ?? []), next: null };
      }
    }
  };
}
