// Erases a member's events after their entries are deleted.
//
// Invariant: no event of a deleted entry is numbered afterwards. The event that is appended first takes the number of
// every turn that had read the entries (number-events.ts).
import { chunks } from "#async/chunks.ts";
import { pause } from "#async/pause.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import { APPEND_AGAIN_MS, ERASED_IDS_MAX } from "#events/bounds.ts";
import type { EventChain, EventErasure, EventPosition, NewEvent, UnseenEvent } from "#events/ports.ts";

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
  announce: (clanId: string) => unknown;
  ids: Pick<Ids, "event">;
  clock: Pick<Clock, "now">;
}): EraseEvents {
  async function append(clanId: string, added: readonly (NewEvent | UnseenEvent)[]): Promise<void> {
    for (let left = added; left.length > 0;) {
      const stored = await events.append([{ clanId, end: await events.newest(clanId), events: left }]);
      left = left.slice(stored);
      // The event that was faster may not be held by a majority yet.
      if (left.length > 0) await pause(APPEND_AGAIN_MS);
    }
  }

  function erasedEvent(some: readonly EventPosition[]): NewEvent {
    const eventId = ids.event();
    const ref = { subject: `erasure/${eventId}`, seq: 0, at: clock.now() };
    return { type: "events.erased", data: { eventIds: some.map((position) => position.eventId) }, eventId, ref };
  }

  return async function eraseEvents(member) {
    const { clanId } = member;
    await events.eraseUnnumbered(member);
    await append(clanId, [{ eventId: ids.event(), at: clock.now() }]);
    for await (const lost of events.listWithoutEntry(member)) {
      if (lost.length === 0) continue;
      // Before the content is deleted: if the process ends in between, the next run finds the same events.
      await append(clanId, [...chunks(lost, ERASED_IDS_MAX)].map(erasedEvent));
      await events.deleteContent(member, lost);
      announce(clanId);
    }
  };
}
