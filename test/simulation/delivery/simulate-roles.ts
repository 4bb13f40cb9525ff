// One seeded history of roles that follow ranks: two notifiers, a group that answers anything, members whose ranks
// change, who leave and are erased, crashes between any two steps, lost responses of MongoDB, and people who pause it.
import { wantedRoles, type MemberRank } from "#domain/role-change.ts";
import { isSentTo } from "#delivery/health.ts";
import { chanceOf } from "../../support/chance.ts";
import { riseOf, webhookOf } from "../../support/destinations.ts";
import { silentLog } from "../../support/silent-log.ts";
import { makeFakeDestinations } from "./fake-destinations.ts";
import { groupOf, MAPPED, OTHER_ROLE, type Manner, type Person, type RoleWorld } from "./fake-group.ts";
import { startFakeNotifier, type FakeRoles } from "./fake-notifier.ts";
import { makeFakeRoleSyncs } from "./fake-role-syncs.ts";
import { makeFaultyProcess, pause } from "./faulty-process.ts";
import { CLAN, schedule } from "./oracle.ts";

const FAULTS_MS = 20_000;
/** What a process began that was frozen then has ended. */
const SETTLED_MS = 25_000;
const HEALING_MS = 600_000;
const QUIET_MS = 300;
/** Between an erasure's fence and its last step: what was called before has ended. */
const ERASURE_QUIET_MS = 4_500;
const RANKS = ["Guest", ...Object.keys(MAPPED)];
/** Of members: so many that ten of them in a row can be denied. */
const MEMBERS_MAX = 20;
const CHANGES_MAX = 60;
const KEY = '{"kind":"roblox-group","credential":"key"}';

/** Every fault of the history; empty if the guarantees held. */
export async function simulateRoles(
  seed: number,
  advance: (work: Promise<unknown>) => Promise<void>,
): Promise<string[]> {
  const chance = chanceOf(seed);
  const startMs = Date.now();
  const world: RoleWorld = {
    database: makeFakeDestinations(),
    syncs: makeFakeRoleSyncs(),
    chance,
    isOver: () => Date.now() - startMs > FAULTS_MS,
    faults: [],
    changedMs: new Map(),
    restores: 0,
    id: "dst_roles",
    ranks: new Map(),
    people: new Map(),
    notedLate: new Set(),
    mood: chance.pick(["well", "flaky", "odd", "forbidden"]),
  };
  const { database, id } = world;
  addPeople(world);
  const kind = chance.pick(["roblox-group", "discord-roles"] as const);
  const mapping = { target: "1", roles: MAPPED, requestsPerMinute: chance.pick([6_000, 600, 120]) };
  database.add(webhookOf(CLAN, id, { kind, types: [], mapping }), KEY);
  const notifiers = ["n1", "n2"].slice(0, chance.int(1, 2)).map((name) => startNotifier(world, name));
  for (let kill = chance.int(0, 3); kill > 0; kill -= 1)
    setTimeout(
      () => {
        const index = chance.int(0, notifiers.length - 1);
        notifiers[index]?.kill();
        notifiers[index] = startNotifier(world, `n${chance.int(1, 1_000_000)}`);
      },
      chance.int(0, FAULTS_MS),
    );

  await advance(Promise.all([changeRanks(world), trouble(world)]));
  world.mood = "well";
  await advance(pause(Math.max(0, startMs + FAULTS_MS + SETTLED_MS - Date.now())));
  await advance(untilSettled(world));
  const early = differences(world);
  for (const person of world.people.values()) person.wasRefused = false;
  world.notedLate.clear();
  for (const [platformId] of world.ranks) announce(world, platformId);
  await advance(untilSettled(world));
  for (const notifier of notifiers) notifier.kill();
  return [...world.faults, ...early, ...differences(world), ...leftovers(world)];
}

function addPeople({ chance, ranks, people }: RoleWorld): void {
  const manners: Manner[] = ["well", "well", "well", "well", "well", "absent", "protected", "denied", "rejected"];
  for (let index = chance.int(2, MEMBERS_MAX); index > 0; index -= 1) {
    const has = new Set([OTHER_ROLE, ...(chance.hits(0.3) ? ["role-1"] : [])]);
    // Strangers, of whom nothing is stored, begin with 1.
    const platformId = `${chance.hits(0.9) ? 2 : 1}${String(index).padStart(17, "0")}`;
    people.set(platformId, { has, manner: chance.pick(manners), wasRefused: false });
    if (platformId.startsWith("2")) ranks.set(platformId, rankOf(chance));
  }
}

function rankOf(chance: RoleWorld["chance"]): MemberRank {
  return { rank: chance.pick(RANKS), isMember: chance.hits(0.9) };
}

/** In one transaction, as the ledger does. */
function announce({ database }: RoleWorld, platformId: string): void {
  database.append(CLAN, [riseOf(platformId, database.chainOf(CLAN).length + 1)]);
}

async function changeRanks(world: RoleWorld): Promise<void> {
  const { chance, ranks, isOver, database, syncs } = world;
  const [paceMs, most] = [chance.pick([200, 1_000, 4_000]), chance.pick([1, 4, 16])];
  for (let changes = 0; changes < CHANGES_MAX;) {
    await pause(chance.int(1, paceMs));
    if (isOver() || ranks.size === 0) return;
    const members = [...ranks.keys()];
    for (let left = chance.int(1, most); left > 0; left -= 1, changes += 1) {
      const platformId = chance.pick(members);
      if (!ranks.has(platformId)) continue;
      if (chance.hits(0.03)) {
        ranks.delete(platformId);
        database.erase(
          CLAN,
          database.chainOf(CLAN).flatMap(({ event }) => {
            return "platformId" in event.data && event.data.platformId === platformId ? [event.n] : [];
          }),
        );
        setTimeout(() => syncs.erase(platformId), ERASURE_QUIET_MS);
        continue;
      }
      ranks.set(platformId, rankOf(chance));
      announce(world, platformId);
    }
    if (chance.hits(0.15)) {
      for (const member of ranks.keys()) ranks.set(member, rankOf(chance));
      database.append(CLAN, [{ type: "ranks.changed", data: { ranks: [], previousRanks: [], rise: 0, fall: 0 } }]);
    }
  }
}

/** What the group and people do to the destination. */
async function trouble(world: RoleWorld): Promise<void> {
  const { chance, isOver, database, id } = world;
  const paceMs = chance.pick([1_000, 4_000, 15_000, 60_000]);
  while (!isOver()) {
    await pause(chance.int(Math.floor(paceMs / 4), paceMs));
    if (chance.hits(0.85))
      world.mood = chance.pick([
        "well",
        "well",
        "down",
        "flaky",
        "limited",
        "forbidden",
        "forbidden",
        "revoked",
        "odd",
      ]);
    else change(world, database.read(id)?.destination.state === "active" ? "paused" : "active");
  }
}

function change({ database, changedMs, id }: RoleWorld, state: "active" | "paused"): void {
  changedMs.set(id, Date.now());
  database.change(id, state);
}

function startNotifier(world: RoleWorld, notifierId: string): { kill(): void } {
  const { database, chance, ranks, syncs } = world;
  const process = makeFaultyProcess(world, (operation) => carryOutLate(world, operation));
  const readRanks: FakeRoles["readRanks"] = async (_, platformIds) =>
    new Map(platformIds.flatMap((one) => (ranks.has(one) ? [[one, ranks.get(one) as MemberRank]] : [])));
  const list = async () => ({ items: [...ranks.keys()].map((platformId) => ({ platformId })), next: null });
  const roles: FakeRoles = {
    service: groupOf(world, notifierId, process),
    syncs: syncs.syncs,
    readRanks,
    members: { list } as unknown as FakeRoles["members"],
    quietMs: QUIET_MS,
  };
  const send = () => Promise.reject(new Error("no message is sent"));
  const common = { database, notifierId, call: process.call, schedule, random: chance.next, log: silentLog };
  const holding = startFakeNotifier({ ...common, send, roles });
  return {
    kill() {
      process.kill();
      void holding.stop();
    },
  };
}

/** What it says of somebody may be older than what was said since. */
function carryOutLate<T>({ syncs, notedLate, id }: RoleWorld, operation: () => Promise<T>): Promise<T> {
  const before = new Map(syncs.list(id).map((row) => [row.platformId, row.outcome]));
  const result = operation();
  for (const { platformId, outcome } of syncs.list(id))
    if (before.get(platformId) !== outcome) notedLate.add(platformId);
  return result;
}

/** A person resumes it: it may also be disabled for members who cannot be changed in a group that is well. */
async function untilSettled(world: RoleWorld): Promise<void> {
  const { database, syncs, id } = world;
  const endMs = Date.now() + HEALING_MS;
  const newest = database.chainOf(CLAN).length;
  const isSettled = (): boolean => {
    const { position, destination, run } = database.read(id) ?? {};
    const isReached = typeof position === "object" && position.n >= newest;
    const isCompared = !run?.fullSyncAt || run.fullSyncAt.getTime() > Date.now();
    const waits = syncs.list(id).some(({ dueAt, outcome }) => dueAt !== null || outcome === "waiting");
    return destination?.state === "active" && isReached && isCompared && !waits;
  };
  while (Date.now() < endMs && !isSettled()) {
    const { destination } = database.read(id) ?? {};
    if (!destination || !isSentTo(destination)) change(world, "active");
    await pause(500);
  }
}

/** Once nothing is to be done any more: who has other roles than those of the rank knows why. */
function differences({ database, syncs, ranks, people, notedLate, id }: RoleWorld): string[] {
  const faults: string[] = [];
  const { destination } = database.read(id) ?? {};
  if (destination?.state !== "active") faults.push(`${id} is ${destination?.state} at the end`);
  for (const { platformId, outcome, reason, dueAt } of syncs.list(id)) {
    if (notedLate.has(platformId)) continue;
    const [rank, person] = [ranks.get(platformId), people.get(platformId)];
    const whose = `${platformId}, ${person?.manner}, ${rank?.rank}:`;
    if (!rank || !person) faults.push(`${whose} is listed, although nothing is stored of them`);
    else if (outcome === "waiting") faults.push(`${whose} waits ${dueAt === null ? "for ever" : "still"}`);
    else if (outcome === "not_there" && person.manner !== "absent") faults.push(`${whose} is said to be absent`);
    else if (outcome === "synced" && !isRight(person, rank)) faults.push(`${whose} has ${[...person.has].join()}`);
    else if (outcome === "protected" && person.manner !== "protected") faults.push(`${whose} is not protected`);
    else if (outcome === "refused" && !person.wasRefused && person.manner === "well")
      faults.push(`${whose} is refused, which nobody has said`);
    if ((outcome === "refused" || outcome === "protected") && !reason)
      faults.push(`${whose} is ${outcome} without why`);
  }
  return faults;
}

/** After everybody was compared by a group that is well. */
function leftovers({ syncs, ranks, people, id }: RoleWorld): string[] {
  const faults: string[] = [];
  for (const platformId of ranks.keys()) {
    const row = syncs.read(id, platformId);
    const manner = people.get(platformId)?.manner;
    if (!row) faults.push(`${platformId} is not listed`);
    else if (manner === "well" && row.outcome !== "synced") faults.push(`${platformId} is well, and ${row.outcome}`);
    else if (manner === "absent" && row.outcome !== "not_there") faults.push(`${platformId} is not there`);
  }
  for (const [platformId, { has }] of people)
    if (!has.has(OTHER_ROLE)) faults.push(`${platformId} has lost a role that is not of the mapping`);
  return faults;
}

function isRight({ has }: Person, rank: MemberRank): boolean {
  const wanted = wantedRoles({ roles: MAPPED }, rank);
  return Object.values(MAPPED).every((roleId) => has.has(roleId) === wanted.includes(roleId));
}
