// Reads a clan's events and marks the members whose roles may differ now. The marks are stored before the position: a
// process that ends in between marks them once more.
import type { EventType } from "#domain/event.ts";
import { EVENTS_PER_READ } from "#delivery/bounds.ts";
import type { HeldDestination, RunStore } from "#delivery/ports.ts";
import type { RoleSyncStore } from "#delivery/role-sync-ports.ts";
import { PASSED_EVENTS_MAX, ROLE_QUIET_MS_MAX } from "#delivery/role-bounds.ts";
import { memberOf } from "#delivery/wanted-events.ts";
import { EVENTS_EXAMINED_MAX } from "#events/bounds.ts";
import type { EventFeed } from "#events/ports.ts";

/** All others change no rank. */
const FOLLOWED = [
  "member.rank_changed",
  "member.joined",
  "member.left",
  "ranks.changed",
] as const satisfies EventType[];

export type MarkDeps = {
  feed: Pick<EventFeed, "readAfter" | "end">;
  syncs: Pick<RoleSyncStore, "mark">;
  runs: Pick<RunStore, "take">;
  /** Changes that follow each other within this time cost one comparison: ROLE_QUIET_MS. */
  quietMs: number;
};

/** Each call reads the next part of the chain. Throws AppError `unavailable`. */
export type MarkMembers = () => Promise<{ isHeld: boolean; hasMore: boolean }>;

/** `compareAll`: plans to compare all members, and is repeated if something fails afterwards; false: not held any more. */
export function makeMarkMembers(
  { feed, syncs, runs, quietMs }: MarkDeps,
  held: HeldDestination,
  compareAll: () => Promise<boolean>,
): MarkMembers {
  const { destination } = held;
  const { clanId } = destination;
  let position = held.position;
  let storedN = position === "oldest" ? 0 : position.n;

  return async function markMembers() {
    const options = { types: FOLLOWED, limit: EVENTS_PER_READ, examined: EVENTS_EXAMINED_MAX };
    const read = await feed.readAfter(clanId, position, options);
    // Null: what was missed cannot be known, and is not needed, because all members are compared.
    const { events, reached, hasMore } = read ?? { events: [], reached: await feed.end(clanId), hasMore: false };
    const members = [...new Set(events.flatMap((event) => memberOf(event) ?? []))];
    const waitMsMax = Math.max(quietMs, ROLE_QUIET_MS_MAX);
    if (members.length > 0) await syncs.mark(destination, members, { dueInMs: quietMs, waitMsMax });
    const needsAll = !read || events.some(({ type }) => type === "ranks.changed");
    if (needsAll && !(await compareAll())) return { isHeld: false, hasMore };
    if (!read || events.length > 0 || reached.n - storedN >= PASSED_EVENTS_MAX) {
      if (!(await runs.take(held, { events: [], reached, missed: 0 }))) return { isHeld: false, hasMore };
      storedN = reached.n;
    }
    position = reached;
    return { isHeld: true, hasMore };
  };
}
