// What must hold of deliveries (docs/concepts/destinations.md), checked where it can break: at each attempt, by what is
// stored at that moment; and at the end, once everything works again, nothing may be left.
import type { ClanEvent } from "#domain/event.ts";
import type { Verdict } from "#delivery/ports.ts";
import { isWanted, memberOf } from "#delivery/wanted-events.ts";
import type { Chance } from "../../support/chance.ts";
import type { FakeDestinations } from "./fake-destinations.ts";
import { pause } from "./faulty-process.ts";

export const CLAN = "c1";
export const schedule = { retryMs: [500, 2_000, 8_000], probeMs: [1_000, 3_000], disableAfterMs: 12_000 };

export type Mood = "well" | "down" | "flaky" | "odd";
export type World = {
  database: FakeDestinations;
  chance: Chance;
  isOver: () => boolean;
  moods: Map<string, Mood>;
  faults: string[];
  /** When a person has changed it last. */
  changedMs: Map<string, number>;
  /** By `destination eventId`. */
  answers: Map<string, Set<Verdict["kind"]>>;
  restores: number;
  /** `destination n`: by a call of which the process that made it does not know that it succeeded. */
  endedLate: Set<string>;
};

export function answersTo({ answers }: World, id: string, { eventId }: ClanEvent): Set<Verdict["kind"]> {
  const known = answers.get(`${id} ${eventId}`) ?? new Set();
  answers.set(`${id} ${eventId}`, known);
  return known;
}

/** At the moment of a request: no other process holds the destination. */
export function noteSender(
  { database, faults }: Pick<World, "database" | "faults">,
  id: string,
  notifierId: string,
): void {
  const holder = database.read(id)?.holder?.notifierId ?? notifierId;
  if (holder !== notifierId) faults.push(`${id} is sent to by ${notifierId} while ${holder} holds it`);
}

/** At the moment of an attempt: it waits, and no earlier event of its member does, except in the same request. */
export function noteAttempt(world: World, id: string, event: ClanEvent, events: readonly ClanEvent[]): void {
  const { database, faults } = world;
  const deliveries = database.deliveriesOf(id);
  const own = database.deliveryOf(id, event.n);
  if (own?.state !== "waiting" && !world.endedLate.has(`${id} ${event.n}`))
    faults.push(`${id}: event ${event.n} is sent although it is ${own?.state}`);
  const { state } = database.read(id)?.destination ?? {};
  if (state !== "active" && state !== "failing")
    faults.push(`${id}: event ${event.n} is sent to it while it is ${state}`);
  if (own?.again) return;
  for (const { n, event: other, state: ofOther, again } of deliveries) {
    if (n >= event.n || ofOther !== "waiting" || again || memberOf(other) !== memberOf(event)) continue;
    // Without its content, it only has to be noticed.
    if (database.chainOf(CLAN)[n - 1]?.gone) continue;
    if (!events.some((one) => one.n === n)) faults.push(`${id}: event ${event.n} is sent before ${n}, which waits`);
  }
}

/**
 * While it rests, nothing is sent; while it fails, one request at a time. `others`: when they began. `deliveredMs`: when
 * the process has last delivered to it, which it may have to store yet.
 */
export function noteProbe(
  { database, faults }: World,
  id: string,
  { others, deliveredMs }: { others: ReadonlySet<number>; deliveredMs: number },
): void {
  const { destination, run } = database.read(id) ?? {};
  if (!destination) return;
  if (run?.restUntil && run.restUntil.getTime() > Date.now()) faults.push(`${id} is sent to while it rests`);
  const since = destination.since.getTime();
  if (destination.state === "failing" && deliveredMs < since && [...others].some((beganMs) => beganMs > since + 1))
    faults.push(`${id} is probed with two requests at a time`);
}

export async function untilAllEnded({ database }: World, ids: readonly string[], endMs: number): Promise<void> {
  const newest = database.chainOf(CLAN).length;
  const isDone = (id: string): boolean => {
    const { position, destination } = database.read(id) ?? {};
    const isReached = typeof position === "object" && position.n >= newest;
    const isWaiting = database.deliveriesOf(id).some(({ state }) => state === "waiting");
    return destination?.state === "active" && isReached && !isWaiting;
  };
  while (Date.now() < endMs && !ids.every(isDone)) await pause(500);
}

/** Once everything works for long enough. */
export function leftovers({ database, answers }: World, id: string): string[] {
  const { destination, position } = database.read(id) ?? {};
  const faults: string[] = [];
  if (!destination || destination.state !== "active") faults.push(`${id} is ${destination?.state} at the end`);
  for (const { event, gone } of database.chainOf(CLAN)) {
    if (gone || !destination || !isWanted(destination, event)) continue;
    const reachedN = typeof position === "object" ? position.n : 0;
    if (event.n > reachedN) faults.push(`${id}: event ${event.n} was not reached`);
    else if (!database.deliveryOf(id, event.n)) faults.push(`${id}: event ${event.n} was left out`);
  }
  for (const { n, event, state, tried } of database.deliveriesOf(id)) {
    const known = answers.get(`${id} ${event.eventId}`);
    if (state === "waiting") faults.push(`${id}: event ${n} still waits`);
    if (state === "delivered" && known && !known.has("delivered")) faults.push(`${id}: event ${n} was not accepted`);
    if (state === "failed" && tried <= schedule.retryMs.length && known && !known.has("refused"))
      faults.push(`${id}: event ${n} has failed after ${tried} attempts`);
  }
  return faults;
}
