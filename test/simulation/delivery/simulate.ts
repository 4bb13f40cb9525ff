// One seeded history of deliveries: two notifiers, destinations of a clan, receivers that answer anything, crashes
// between any two steps, lost responses of MongoDB, and what people do meanwhile.
import type { Destination } from "#domain/destination.ts";
import type { ClanEvent } from "#domain/event.ts";
import type { Courier, Sent, Verdict } from "#delivery/ports.ts";
import { chanceOf } from "../../support/chance.ts";
import { fallOf, riseOf, webhookOf } from "../../support/destinations.ts";
import { silentLog } from "../../support/silent-log.ts";
import { makeFakeDestinations, type FakeDelivery, type FakeDestinations } from "./fake-destinations.ts";
import {
  answersTo,
  CLAN,
  leftovers,
  noteAttempt,
  noteProbe,
  noteSender,
  schedule,
  untilAllEnded,
  type World,
} from "./oracle.ts";
import { sent, startFakeNotifier } from "./fake-notifier.ts";
import { makeFaultyProcess, pause } from "./faulty-process.ts";

const FAULTS_MS = 20_000;
/** What a process began that was frozen then has ended. */
const SETTLED_MS = 25_000;
/** Past a lease, every retry and every probe, and for as long as receivers take that respond slowly again and again. */
const HEALING_MS = 300_000;
/** So small that parts of it are loaded in many histories. */
const window = { waitingMax: 8, untriedMin: 3, perRead: 4 };

const EVENTS_MAX = 80;

/** Every fault of the history; empty if the guarantees held. */
export async function simulateDelivery(
  seed: number,
  advance: (work: Promise<unknown>) => Promise<void>,
): Promise<string[]> {
  const chance = chanceOf(seed);
  const startMs = Date.now();
  const world: World = {
    database: makeFakeDestinations(),
    chance,
    isOver: () => Date.now() - startMs > FAULTS_MS,
    moods: new Map(),
    faults: [],
    changedMs: new Map(),
    answers: new Map(),
    restores: 0,
    endedLate: new Set(),
  };
  const ids = Array.from({ length: chance.int(1, 3) }, (_, index) => `dst_${index}`);
  for (const id of ids) addDestination(world, id);
  const notifiers = ["n1", "n2"].slice(0, chance.int(1, 2)).map((id) => startNotifier(world, id));
  const restart = (index: number): void => {
    notifiers[index]?.kill();
    notifiers[index] = startNotifier(world, `n${chance.int(1, 1_000_000)}`);
  };
  for (let kill = chance.int(0, 3); kill > 0; kill -= 1)
    setTimeout(() => restart(chance.int(0, notifiers.length - 1)), chance.int(0, FAULTS_MS));
  if (chance.hits(0.1)) planRestore(world, notifiers, restart);

  await advance(Promise.all([appendEvents(world), ...ids.map((id) => trouble(world, id))]));
  for (const id of ids) world.moods.set(id, "well");
  await advance(pause(Math.max(0, startMs + FAULTS_MS + SETTLED_MS - Date.now())));
  for (const id of ids)
    if (!["active", "failing"].includes(world.database.read(id)?.destination.state ?? "")) change(world, id, "active");
  // Something to probe with.
  world.database.append(CLAN, [riseOf("m1", EVENTS_MAX + 100)]);
  await advance(untilAllEnded(world, ids, Date.now() + HEALING_MS));
  for (const notifier of notifiers) notifier.kill();
  return [...world.faults, ...ids.flatMap((id) => leftovers(world, id))];
}

function addDestination({ database, chance, moods }: World, id: string): void {
  const kind = chance.pick(["webhook", "webhook", "discord"] as const);
  database.add(webhookOf(CLAN, id, { kind, only: chance.hits(0.2) ? "up" : null }));
  moods.set(id, chance.pick(["well", "down", "flaky", "odd"]));
}

async function appendEvents({ database, chance, isOver }: World): Promise<void> {
  const [paceMs, most] = [chance.pick([200, 1_000, 4_000]), chance.pick([1, 4, 12])];
  let seq = 0;
  for (;;) {
    await pause(chance.int(1, paceMs));
    if (isOver() || seq >= EVENTS_MAX) return;
    const bodies = Array.from({ length: chance.int(1, most) }, () => {
      seq += 1;
      return (chance.hits(0.9) ? riseOf : fallOf)(`m${chance.int(1, 4)}`, seq);
    });
    database.append(CLAN, bodies);
  }
}

/** What people, receivers, erasures and retention do to a destination. */
async function trouble(world: World, id: string): Promise<void> {
  const { database, chance, isOver, moods } = world;
  const paceMs = chance.pick([1_000, 4_000, 15_000]);
  const events = (): ClanEvent[] => database.chainOf(CLAN).map(({ event }) => event);
  while (!isOver()) {
    await pause(chance.int(1, paceMs));
    const what = chance.int(0, 9);
    if (what < 4) moods.set(id, chance.pick(["well", "well", "down", "flaky", "odd"]));
    else if (what < 6) {
      const [from, to] = [chance.next(), chance.next()].toSorted((a, b) => a - b) as [number, number];
      const all = events();
      const span = all.slice(Math.floor(from * all.length), Math.ceil(to * all.length));
      world.changedMs.set(id, Date.now());
      database.resend(id, chance.hits(0.5) ? span : span.filter(({ n }) => stateOf(database, id, n) === "failed"));
    } else if (what === 6) {
      const state = database.read(id)?.destination.state;
      change(world, id, state === "active" ? chance.pick(["active", "paused"]) : "active");
    } else if (what === 7) database.erase(CLAN, [chance.pick([0, ...events().map(({ n }) => n)])]);
    else if (what === 8 && chance.hits(0.3)) database.age(CLAN, chance.int(0, events().length));
  }
}

function change({ database, changedMs }: World, id: string, state: Destination["state"]): void {
  changedMs.set(id, Date.now());
  database.change(id, state);
}

/** Everything stops, and begins with what was stored some time before. */
function planRestore(world: World, notifiers: readonly { kill(): void }[], restart: (index: number) => void): void {
  const { database, chance } = world;
  const takenMs = chance.int(1, FAULTS_MS - 1);
  setTimeout(() => {
    const backup = database.backup();
    setTimeout(
      () => {
        for (const notifier of notifiers) notifier.kill();
        database.restore(backup);
        world.restores += 1;
        for (const index of notifiers.keys()) restart(index);
      },
      chance.int(0, FAULTS_MS - takenMs),
    );
  }, takenMs);
}

/** A process that works until it is killed, at any step. */
function startNotifier(world: World, notifierId: string): { kill(): void } {
  const { database, chance } = world;
  const { call, knowsMs, alive, kill } = makeFaultyProcess(world, (operation) => carryOutLate(world, operation));
  const inFlight = new Map<string, Set<number>>();
  const deliveredMs = new Map<string, number>();
  const send: Courier["send"] = async ({ destinationId }, _, events) => {
    await alive();
    const others = inFlight.get(destinationId) ?? new Set();
    noteSender(world, destinationId, notifierId);
    if ((world.changedMs.get(destinationId) ?? -Infinity) < knowsMs()) {
      for (const event of events) noteAttempt(world, destinationId, event, events);
      noteProbe(world, destinationId, { others, deliveredMs: deliveredMs.get(destinationId) ?? -Infinity });
    }
    inFlight.set(destinationId, others);
    const beganMs = Date.now() + others.size / 1_000;
    others.add(beganMs);
    const answer = answerOf(world, destinationId, events);
    await pause(answer.ms);
    others.delete(beganMs);
    if (answer.verdict.kind === "delivered") deliveredMs.set(destinationId, Date.now());
    for (const event of events) answersTo(world, destinationId, event).add(answer.verdict.kind);
    await alive();
    return answer;
  };
  const common = { database, notifierId, call, schedule, window, random: chance.next, log: silentLog };
  const holding = startFakeNotifier({ ...common, send, summaryAbove: 6, eventsMax: chance.pick([1, 3]) });
  return {
    kill() {
      kill();
      void holding.stop();
    },
  };
}

/** What it ends may be sent once more, by a process that has read before that it waits. */
function carryOutLate<T>({ database, moods, endedLate }: World, operation: () => Promise<T>): Promise<T> {
  const waiting = () =>
    [...moods.keys()].flatMap((id) =>
      database.deliveriesOf(id).flatMap(({ n, state }) => (state === "waiting" ? [`${id} ${n}`] : [])),
    );
  const before = waiting();
  const result = operation();
  const after = new Set(waiting());
  for (const one of before) if (!after.has(one)) endedLate.add(one);
  return result;
}

function answerOf({ moods, chance }: World, id: string, events: readonly ClanEvent[]): Sent {
  const mood = moods.get(id);
  const ms = chance.hits(0.03) ? 9_000 : chance.int(1, 150);
  const verdict = (): Verdict => {
    if (mood === "well") return { kind: "delivered" };
    if (mood === "down") return { kind: "failed" };
    if (mood === "flaky") return { kind: chance.hits(0.5) ? "delivered" : "failed" };
    const one = chance.next();
    if (one < 0.05) return { kind: "disable", reason: "made up" };
    if (one < 0.2) return { kind: "rest", forMs: chance.int(1, 3_000) };
    if (one < 0.4 || events.some(({ n }) => n % 5 === 0)) return { kind: "refused" };
    return { kind: one < 0.7 ? "delivered" : "failed" };
  };
  return { ...sent(verdict()), ms };
}

function stateOf(database: FakeDestinations, id: string, n: number): FakeDelivery["state"] | undefined {
  return database.deliveryOf(id, n)?.state;
}
