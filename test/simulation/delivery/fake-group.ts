// A group of people with roles, elsewhere: it answers anything, late, and also after it did what it was asked for. What
// may never happen is checked at each request.
import type { MemberRank } from "#domain/role-change.ts";
import { DENIED_MAX } from "#delivery/role-bounds.ts";
import type { OfferedRole, RoleClient, RoleFault, RoleReply, RoleService } from "#delivery/role-ports.ts";
import type { FakeRoleSyncs } from "./fake-role-syncs.ts";
import { pause, type FaultyProcess } from "./faulty-process.ts";
import { noteSender, type World } from "./oracle.ts";

export type GroupMood = "well" | "down" | "flaky" | "limited" | "forbidden" | "revoked" | "odd";
/** How the group answers a change of this person, whatever its mood; `absent`: not in the group. */
export type Manner = "well" | "absent" | "protected" | "denied" | "rejected";
export type Person = {
  has: Set<string>;
  manner: Manner;
  /** Why the person may have been given up: a request about them, or of all, has failed. */
  wasRefused: boolean;
};
export type RoleWorld = Pick<World, "database" | "chance" | "isOver" | "faults" | "changedMs" | "restores"> & {
  id: string;
  syncs: FakeRoleSyncs;
  /** Of the members of the clan, of whom something is stored. */
  ranks: Map<string, MemberRank>;
  people: Map<string, Person>;
  mood: GroupMood;
  /** Members of whom a call says something that its process had given up. */
  notedLate: Set<string>;
};

/** Of the mapping; others are nobody's business. */
export const MAPPED: Readonly<Record<string, string>> = { Recruit: "role-1", Veteran: "role-2", Elite: "role-3" };
const MAPPED_ROLES = Object.values(MAPPED);
export const OTHER_ROLE = "role-other";
const PEOPLE_PER_PAGE = 7;
const REASON = "made up";
const ABSENT = Symbol("not in the group");

/** As one process reaches it. */
export function groupOf(world: RoleWorld, notifierId: string, process: FaultyProcess): RoleService {
  return {
    client: () => clientOf(world, notifierId, process),
    inspect: () => Promise.reject(new Error("nobody inspects it")),
  };
}

function clientOf(world: RoleWorld, notifierId: string, { alive, knowsMs }: FaultyProcess): RoleClient {
  const { chance, faults, id } = world;
  let inFlight = 0;
  /** As a client sees it: in a row, and those for whom others were changed afterwards. */
  const denied = new Set<string>();
  const apart = new Set<string>();

  async function ask<Value>(changes: string | null, act: () => Value | typeof ABSENT): Promise<RoleReply<Value>> {
    await alive();
    noteSender(world, id, notifierId);
    if ((world.changedMs.get(id) ?? -Infinity) < knowsMs()) noteRequest(world, denied);
    if (inFlight > 0) faults.push(`${id} has two requests at a time`);
    inFlight += 1;
    await pause(chance.hits(0.03) ? 4_500 : chance.int(1, 80));
    const reply = answerOf(world, changes, act);
    await pause(chance.hits(0.03) ? 4_500 : chance.int(1, 80));
    inFlight -= 1;
    const pauseMs = world.mood === "limited" && chance.hits(0.1) ? chance.int(1, 4_000) : 0;
    if (changes !== null) noteDenied(reply, changes);
    await alive();
    return { ...reply, pauseMs };
  }

  function noteDenied(reply: { kind: string; isAboutPerson?: boolean }, changes: string): void {
    if (reply.kind === "denied" && !reply.isAboutPerson && !apart.has(changes)) denied.add(changes);
    if (reply.kind !== "done") return;
    for (const one of denied) apart.add(one);
    denied.clear();
    apart.delete(changes);
  }

  const changing = (platformId: string, roleId: string, change: (person: Person) => void) =>
    ask<null>(platformId, () => {
      const person = world.people.get(platformId);
      if (!MAPPED_ROLES.includes(roleId)) faults.push(`${roleId} is not in the mapping, and changed`);
      if (!world.ranks.has(platformId) && !platformId.startsWith("2"))
        faults.push(`${platformId} is changed, of whom nothing was ever stored`);
      if (!person || person.manner === "absent") return ABSENT;
      change(person);
      return null;
    });

  return {
    listRoles: () => ask(null, () => ({ items: [OFFERED], next: null })),
    listMembers: (after) =>
      ask(null, () => {
        const there = [...world.people].filter(([, { manner }]) => manner !== "absent");
        const from = Number(after ?? 0);
        const items = there.slice(from, from + PEOPLE_PER_PAGE).map(([platformId, { has }]) => {
          return { platformId, has: [...has] };
        });
        return { items, next: from + PEOPLE_PER_PAGE < there.length ? `${from + PEOPLE_PER_PAGE}` : null };
      }),
    readMember: (platformId) =>
      ask<readonly string[]>(null, () => {
        const person = world.people.get(platformId);
        return person && person.manner !== "absent" ? [...person.has] : ABSENT;
      }),
    assign: (platformId, roleId) => changing(platformId, roleId, ({ has }) => has.add(roleId)),
    unassign: (platformId, roleId) => changing(platformId, roleId, ({ has }) => has.delete(roleId)),
  };
}

const OFFERED: OfferedRole = { roleId: "role-owner", name: "Owner", isOwner: true, fault: null };

/** At the moment of a request of a process that knows what is stored. */
function noteRequest({ database, faults, id }: RoleWorld, denied: ReadonlySet<string>): void {
  const { destination, run } = database.read(id) ?? {};
  if (!destination || !run) return;
  if (run.restUntil && run.restUntil.getTime() > Date.now()) faults.push(`${id} is asked while it rests`);
  if (destination.state !== "active" && destination.state !== "failing")
    faults.push(`${id} is asked while it is ${destination.state}`);
  if (destination.state === "failing" && run.nextProbeAt === null) faults.push(`${id} fails, and is never probed`);
  if (destination.state === "active" && denied.size >= DENIED_MAX)
    faults.push(`${id} is active although ${denied.size} members in a row could not be changed`);
}

function answerOf<Value>(
  { mood, people, chance }: RoleWorld,
  changes: string | null,
  act: () => Value | typeof ABSENT,
): { kind: "done"; value: Value } | RoleFault {
  const person = changes === null ? undefined : people.get(changes);
  const fault = faultOf(mood, chance) ?? (changes === null ? null : faultOfPerson(person, mood));
  // It did what it was asked for, and the response was lost.
  if (fault?.kind === "failed" && chance.hits(0.3)) act();
  if (fault && fault.kind !== "rest") for (const one of person ? [person] : people.values()) one.wasRefused = true;
  if (fault) return fault;
  const value = act();
  return value === ABSENT ? { kind: "not_there" } : { kind: "done", value };
}

function faultOf(mood: GroupMood, chance: RoleWorld["chance"]): RoleFault | null {
  const failed = { kind: "failed", reason: REASON } as const;
  const rest = (): RoleFault => ({ kind: "rest", forMs: chance.hits(0.4) ? null : chance.int(1, 20_000) });
  if (mood === "down" || (mood === "flaky" && chance.hits(0.5))) return failed;
  if (mood === "revoked") return { kind: "stopped", reason: REASON };
  if (mood === "limited" && chance.hits(0.3)) return rest();
  if (mood !== "odd") return null;
  const one = chance.next();
  if (one < 0.1) return rest();
  if (one < 0.25) return failed;
  return one < 0.27 ? { kind: "stopped", reason: REASON } : null;
}

function faultOfPerson(person: Person | undefined, mood: GroupMood): RoleFault | null {
  if (mood === "forbidden") return { kind: "denied", isAboutPerson: false, reason: REASON };
  switch (person?.manner) {
    case "protected":
    case "denied":
      return { kind: "denied", isAboutPerson: person.manner === "protected", reason: REASON };
    case "rejected":
      return { kind: "rejected", reason: REASON };
    default:
      return null;
  }
}
