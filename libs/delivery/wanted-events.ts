// Which events a destination receives, and whom they are about.
import type { Destination } from "#domain/destination.ts";
import { foldedName } from "#domain/member-name.ts";
import { eventTypes, type ClanEvent, type EventType } from "#domain/event.ts";

/** Its own, and that another destination of the clan was disabled, which all but those of summaries receive. */
export function wantedTypes({ types, only }: Pick<Destination, "types" | "only">): readonly EventType[] {
  return eventTypes.filter((type) => types.includes(type) || (type === "destination.disabled" && only !== "summaries"));
}

export function isWanted(
  { destinationId, only }: Pick<Destination, "destinationId" | "only">,
  event: ClanEvent,
): boolean {
  if (event.type === "destination.disabled") return event.data.destinationId !== destinationId;
  if (only !== "up") return true;
  return event.type === "member.joined" || (event.type === "member.rank_changed" && event.data.direction === "up");
}

/** The member whose events keep their order; null: of nobody. */
export function memberOf({ data }: ClanEvent): string | null {
  return "platformId" in data ? data.platformId : null;
}

/**
 * Whether a receiver's response names the member, or quotes a reason, in whatever case and encoding: it must not be
 * stored.
 */
export function isPersonal(response: string, events: readonly ClanEvent[]): boolean {
  const read = foldedName(decoded(response));
  return events.some(({ data }) => {
    const texts = [
      "platformId" in data ? data.platformId : null,
      "name" in data && "platformId" in data ? data.name : null,
      "reason" in data ? data.reason : null,
      ...("top" in data ? data.top.flatMap(({ platformId, name }) => [platformId, name]) : []),
    ];
    return texts.some((text) => text && read.includes(foldedName(text)));
  });
}

/** Characters that URLs and JSON write as numbers. */
function decoded(text: string): string {
  return text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"))
    .replaceAll(/\\u([\da-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}
