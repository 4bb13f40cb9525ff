// Erases a member's events after their entries are deleted.
//
// Invariant: no event of a deleted entry is numbered afterwards. The event that is appended first takes the number of
// every turn that had read the entries (number-events.ts).
import { chunks } from "#async/chunks.ts";
import { pause } from "#async/pause.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Clock, Ids } from "#runtime/ports.ts";
import { APPEND_AGAIN_MS, ERASED_IDS_MAX } from "#usecases/events/bounds.ts";
import type { EventChain, EventErasure, NewEvent, UnseenEvent } from "#usecases/events/ports.ts";

/** It may be repeated: readers may then receive the id of an event twice. Throws AppError `unavailable`. */
export type EraseEvents = (member: MemberRef) => Promise<void>;

export function makeEraseEvents({
  events,
  announce,
  ids,
  clock,
}: {
  events: Pick<EventChain, "newest" | "append"> &
    Pick<EventErasure, "eraseUnnumbered" | "listWithoutEntry" | "deleteContent">;
  /** Wakes readers that wait for events of the clan. */
  announce: (clanId: string) => void;
  ids: Pick<Ids, "event">;
  clock: Pick<Clock, "now">;
}): EraseEvents {
  async function append(clanId: string, event: NewEvent | UnseenEvent): Promise<void> {
    // The event that was faster may not be held by a majority yet.
    while ((await events.append([{ clanId, end: await events.newest(clanId), events: [event] }])) === 0)
      await pause(APPEND_AGAIN_MS);
  }

  return async function eraseEvents(member) {
    const { clanId } = member;
    await events.eraseUnnumbered(member);
    await append(clanId, { eventId: ids.event(), at: clock.now() });
    const eventIds = await events.listWithoutEntry(member);
    for (const some of chunks(eventIds, ERASED_IDS_MAX)) {
      const eventId = ids.event();
      const ref = { subject: `erasure/${eventId}`, seq: 0, at: clock.now() };
      // Before the content is deleted: if the process ends in between, the next run finds the same events.
      await append(clanId, { type: "events.erased", data: { eventIds: some }, eventId, ref });
      await events.deleteContent(member, some);
    }
    if (eventIds.length > 0) announce(clanId);
  };
}
