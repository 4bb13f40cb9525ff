// The rows of an export of events, read in pages in their order. As CSV, the fields that most events have are columns,
// and all of `data` is the last one.
import type { AnyEventResponse } from "#contract/event.ts";
import { eventResponse } from "#contract/event-response.ts";
import { AppError } from "#kernel/app-error.ts";
import type { EventType } from "#domain/event.ts";
import type { Row } from "#export/export-rows.ts";
import type { EventFeed, EventPosition } from "#events/ports.ts";

/** Events in memory, and in one read: some hundred kilobytes. More are looked at if they have other types. */
const EVENTS_PER_PAGE = 500;
const EXAMINED_PER_PAGE = 2_000;

/** Throws AppError `unavailable`, or `busy` if events are deleted meanwhile; an export is never cut short silently. */
export async function* eventPages(
  feed: Pick<EventFeed, "readAfter">,
  clanId: string,
  { types, since }: { types: readonly EventType[]; since: Date | null },
): AsyncGenerator<AnyEventResponse[]> {
  const options = { types, limit: EVENTS_PER_PAGE, examined: EXAMINED_PER_PAGE };
  for (let [after, passed]: [EventPosition | "oldest", number] = ["oldest", 0], hasMore = true; hasMore;) {
    const read = await feed.readAfter(clanId, after, options);
    if (read) {
      const wanted = read.events.filter(({ n, at }) => n > passed && (since === null || at >= since));
      yield wanted.map(eventResponse);
      ({ reached: after, hasMore } = read);
      passed = Math.max(passed, after.n);
    } else {
      // What was read last was deleted by age meanwhile.
      if (after === "oldest") throw new AppError("busy", "Events were deleted while they were read. Export again.");
      after = "oldest";
    }
  }
}

export function eventRow({ id, type, timestamp, clanId, data }: AnyEventResponse): Row {
  const fields: Record<string, unknown> = data;
  const text = (name: string): string | number | null => {
    const value = fields[name] ?? null;
    return typeof value === "string" || typeof value === "number" ? value : null;
  };
  return {
    id,
    type,
    timestamp,
    clanId,
    platformId: text("platformId"),
    name: text("name"),
    seq: text("seq"),
    xp: text("xp"),
    rank: text("rank"),
    previousRank: text("previousRank"),
    direction: text("direction"),
    cause: text("cause"),
    awardId: text("awardId"),
    amount: text("amount"),
    applied: text("applied"),
    reason: text("reason"),
    // Another form of the same JSON, in which no text begins a cell after a semicolon.
    data: JSON.stringify(data).replaceAll(";", String.raw`\u003b`),
  };
}
