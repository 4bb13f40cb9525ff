// An event in the output of the CLI, for people.
import type { AnyEventResponse } from "#contract/event.ts";
import { changeText } from "#contract/event-text.ts";

export const EVENT_COLUMNS = ["TIME", "EVENT", "MEMBER", "CHANGE"];

export function eventCells(event: AnyEventResponse): string[] {
  const member = "platformId" in event.data ? event.data.platformId : "";
  return [event.timestamp, event.type, member, changeText(event)];
}
