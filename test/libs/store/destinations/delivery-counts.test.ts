// How far a destination is behind: only events count that it receives.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Destination } from "#domain/destination.ts";
import { eventTypes, type EventBody } from "#domain/event.ts";
import { isWanted, wantedTypes } from "#usecases/destinations/wanted-events.ts";
import { destinationsIn, fallOf, webhookTo, type TestDestinations } from "../../../support/destinations.ts";
import { sampleEvents } from "../../../support/sample-events.ts";
import { makeWorld, type World } from "../../../support/world.ts";

let world: World;
let destinations: TestDestinations;
beforeAll(async () => {
  world = await makeWorld();
  destinations = destinationsIn(world.database);
});
afterAll(() => world.close());

const untriedOf = async (id: string) => (await destinations.log.counts([id])).get(id)?.untried;
const disabled = (destinationId: string): EventBody => {
  const data = { destinationId, name: "Our server", kind: "webhook", reason: "410 Gone" };
  return { type: "destination.disabled", data };
};

test.each<[string, Partial<Destination>]>([
  ["all types", { types: eventTypes }],
  ["all types, rises only", { types: eventTypes, onlyUp: true }],
  ["the default types, rises only", { onlyUp: true }],
  ["rank changes alone", { types: ["member.rank_changed"] }],
  ["joins alone, rises only", { types: ["member.joined"], onlyUp: true }],
])("of %s, the same events are counted as are sent", async (_name, changes) => {
  const { clanId } = (await world.makeClan()).clan;
  const id = await destinations.add(clanId, webhookTo("http://127.0.0.1:9"), changes);
  const destination = await destinations.untilIs(id, () => true);
  const samples = sampleEvents.map(({ type, data }) => ({ type, data }) as EventBody);
  for (const body of [...samples, fallOf("156", 8), disabled(id)]) {
    const before = await untriedOf(id);
    const [event] = await destinations.append(clanId, [body]);
    if (!event) throw new Error("the event was not appended");
    const isSent = wantedTypes(destination).includes(event.type) && isWanted(destination, event);
    const untried = await untriedOf(id);
    expect({ event, added: (untried?.count ?? 0) - (before?.count ?? 0) }).toEqual({ event, added: isSent ? 1 : 0 });
    expect(untried?.oldestAt === null).toBe(untried?.count === 0);
  }
  expect((await untriedOf(id))?.count).toBeGreaterThan(0);
});
