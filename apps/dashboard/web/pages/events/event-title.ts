// What an event is called in the list of events: "Rank up", "Joined", "Season ended: Autumn, won by Mira".
import type { AnyEventResponse } from "#contract/event.ts";
import { eventTitles, rankTitle, winnersOf } from "#contract/event-text.ts";
import type { BoardKind } from "#domain/board.ts";

/** `names`: of members, by platformId. `boards`: of results of periods, by the ids of their events. */
export type KnownNames = {
  names: ReadonlyMap<string, string>;
  boards: ReadonlyMap<string, { name: string; every: BoardKind }>;
};

export function eventTitle(event: AnyEventResponse, { names, boards }: KnownNames): string {
  if (event.type === "member.rank_changed") return rankTitle(event.data);
  const board = boards.get(event.id);
  if (event.type !== "period.final" || !board) return eventTitles[event.type];
  const winners = winnersOf(event.data).map(({ platformId }) => names.get(platformId) ?? platformId);
  const won = winners.length > 0 ? `, won by ${listed.format(winners)}` : "";
  return `${periods[board.every]} ended: ${board.name}${won}`;
}

const periods: Record<BoardKind, string> = { day: "Day", week: "Week", month: "Month", season: "Season" };
const listed = new Intl.ListFormat("en");
