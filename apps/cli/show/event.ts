// An event in the output of the CLI, for people.
import type { AnyEventResponse } from "#contract/event.ts";
import { changeText } from "#contract/event-text.ts";
import type { Format } from "./format.ts";
import { withName, type ShownNames } from "./names.ts";

/** Each with its width where the cells of later rows are not known yet. */
export function eventColumns({ isTerminal }: Format): readonly (readonly [title: string, width: number])[] {
  return [
    ["TIME", isTerminal ? 16 : 24],
    ["EVENT", 19],
    ["MEMBER", 20],
    ...(isTerminal ? [["NAME", 20] as const] : []),
    ["CHANGE", 0],
  ];
}

export function eventCells(event: AnyEventResponse, names: ShownNames, { isTerminal, time }: Format): string[] {
  const member = "platformId" in event.data ? event.data.platformId : "";
  const name = isTerminal ? [names.get(member) ?? ""] : [];
  return [time(event.timestamp), event.type, member, ...name, changeText(event, (id) => withName(names, id))];
}

/** Those whom a text or a cell names. */
export function membersOf({ data }: AnyEventResponse): string[] {
  if ("platformId" in data) return [data.platformId];
  return "top" in data ? data.top.slice(0, 1).map(({ platformId }) => platformId) : [];
}
