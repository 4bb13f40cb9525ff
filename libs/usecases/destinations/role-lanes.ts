// Requests to the group or server of a destination that this process holds: one at a time, at an even pace, and none
// once another process may hold it. All work on a destination shares its lane.
//
// Only the holder sends, and a new one waits a turn before its first request: the pace holds over all processes.
import { pause } from "#async/pause.ts";
import { wantedRoles } from "#domain/role-change.ts";
import { isRoleKind, type RoleKind, type RoleMapping } from "#domain/destination.ts";
import { REST_MS_MAX } from "#usecases/destinations/bounds.ts";
import { DENIED_MAX, REST_MS_MIN, TURN_WAIT_MS_MAX, UNTOLD_REST_MS_MAX } from "#usecases/destinations/role-bounds.ts";
import {
  decideHealth,
  nextProbe,
  resumed,
  type HealthDecision,
  type RoleHealth,
  type RoleSchedule,
} from "#usecases/destinations/role-health.ts";
import type { HeldDestination, RunStore } from "#usecases/destinations/ports.ts";
import type { ReadRanks, RoleSyncStore } from "#usecases/destinations/role-sync-ports.ts";
import type { OfferedRole, RoleClient, RolePage, RoleReply, RoleService } from "#usecases/destinations/role-ports.ts";
import type { Clock, Log } from "#runtime/ports.ts";

/** `lost`: the destination is not held any more, and nothing was sent. */
export type LaneReply<Value> = RoleReply<Value> | { kind: "lost" };

export type RoleLane = {
  kind: RoleKind;
  mapping: RoleMapping;
  /** `changes`: the member whose roles the request changes; null if it only reads. Throws AppError `unavailable`. */
  ask<Value>(
    changes: string | null,
    request: (client: RoleClient) => Promise<RoleReply<Value>>,
  ): Promise<LaneReply<Value>>;
  /** For how long nothing is sent. */
  restMs(): number;
  health(): RoleHealth;
  /** Why it is failing or disabled, as a sentence; null if it is not. */
  reason(): string | null;
  /** Whether roles were changed: the credential may do that. */
  hasChanged(): boolean;
  /** Whether it works again since the last call: all members are to be compared. */
  takeResumed(): boolean;
  /** A probe has ended; if it has shown nothing, the next one comes later. */
  endProbe(probesBefore: number): Promise<void>;
  /** Nobody is left whose roles could show whether it is well again. */
  resume(): Promise<void>;
  ownerRoles(): Promise<ReadonlySet<string>>;
};

export type RoleLanes = (held: HeldDestination) => RoleLane;

type Deps = {
  services: Readonly<Record<RoleKind, RoleService>>;
  runs: Pick<RunStore, "note" | "disable">;
  syncs: Pick<RoleSyncStore, "mark">;
  readRanks: ReadRanks;
  schedule: RoleSchedule;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
};

export function makeRoleLanes(deps: Deps): RoleLanes {
  const lanes = new WeakMap<HeldDestination, RoleLane>();
  return (held) => {
    const lane = lanes.get(held) ?? makeLane(deps, held);
    lanes.set(held, lane);
    return lane;
  };
}

function makeLane(deps: Deps, held: HeldDestination): RoleLane {
  const { kind, mapping } = held.destination;
  const { secrets } = held;
  if (!mapping || !isRoleKind(kind) || !("credential" in secrets))
    throw new Error(`the destination ${held.destination.destinationId} has no roles`);
  const client = deps.services[kind].client(mapping.target, secrets.credential, held.destination.clanId);
  const turns = makeTurns(deps, held, kind === "roblox-group" ? 60_000 / mapping.requestsPerMinute : 0);
  const keeper = makeHealthKeeper(deps, held);
  const evidence = makeEvidence(deps, { held, mapping, client, turns });
  let owners: ReadonlySet<string> | null = null;
  // One request after the other.
  let last: Promise<unknown> = Promise.resolve();

  async function send<Value>(
    changes: string | null,
    request: (of: RoleClient) => Promise<RoleReply<Value>>,
  ): Promise<LaneReply<Value>> {
    const restMs = await turns.await();
    if (held.signal.aborted || !held.isHeld()) return { kind: "lost" };
    if (restMs > 0) return { kind: "rest", forMs: restMs, pauseMs: 0 };
    turns.begin();
    const reply = await request(client);
    await turns.end(reply);
    const isLastOfRow = reply.kind === "denied" && changes !== null && keeper.isLastOfRow(changes);
    if (isLastOfRow && (await evidence.mayChangeOthers())) keeper.forgive();
    else await keeper.note(reply, changes);
    if (changes !== null) await evidence.note(reply.kind, changes);
    if (changes !== null && reply.kind === "done") await deps.runs.note(held, { lastDeliveredAt: held.now() });
    return reply;
  }

  const lane: RoleLane = {
    kind,
    mapping,
    ask(changes, request) {
      const sent = last.then(() => send(changes, request));
      last = sent.catch(() => {});
      return sent;
    },
    restMs: turns.restMs,
    health: keeper.health,
    reason: keeper.reason,
    hasChanged: evidence.hasChanged,
    takeResumed: keeper.takeResumed,
    endProbe: keeper.endProbe,
    resume: keeper.resume,
    async ownerRoles() {
      owners ??= await readOwnerRoles(lane);
      return owners ?? new Set();
    },
  };
  return lane;
}

/** Whether the credential may change roles at all: if it has, a 403 is about a person. */
function makeEvidence(
  { syncs, readRanks }: Deps,
  {
    held,
    mapping,
    client,
    turns,
  }: { held: HeldDestination; mapping: RoleMapping; client: RoleClient; turns: ReturnType<typeof makeTurns> },
) {
  /** Whose roles it has changed last. */
  let changed: string | null = null;
  const deniedBefore = new Set<string>();

  return {
    hasChanged: () => changed !== null,

    /** After a request that was to change this person's roles. With the first change, others are compared once more. */
    async note(reply: RoleReply<unknown>["kind"], platformId: string): Promise<void> {
      if (reply === "denied" && changed === null && deniedBefore.size < DENIED_MAX) deniedBefore.add(platformId);
      if (reply !== "done") return;
      changed = platformId;
      if (deniedBefore.size > 0) await syncs.mark(held.destination, [...deniedBefore], DUE_NOW);
      deniedBefore.clear();
    },

    /**
     * Assigns the role that a person has already, which changes nothing: there may be many people in a row whose roles
     * the credential may not change, while it may change those of others.
     */
    async mayChangeOthers(): Promise<boolean> {
      const person = changed;
      const [someRole] = Object.values(mapping.roles);
      if (person === null || someRole === undefined) return false;
      const rank = (await readRanks(held.destination.clanId, [person])).get(person);
      if (!rank || (await turns.await()) > 0 || held.signal.aborted || !held.isHeld()) return false;
      const [wanted] = wantedRoles(mapping, rank);
      turns.begin();
      const reply = await (wanted ? client.assign(person, wanted) : client.unassign(person, someRole));
      await turns.end(reply);
      return reply.kind === "done";
    },
  };
}

/** Null if they could not be read. */
async function readOwnerRoles(lane: RoleLane): Promise<ReadonlySet<string> | null> {
  const owners = new Set<string>();
  for (let after: string | null = null; ;) {
    const from: string | null = after;
    const page: LaneReply<RolePage<OfferedRole>> = await lane.ask(null, (client) => client.listRoles(from));
    if (page.kind !== "done") return null;
    for (const role of page.value.items) if (role.isOwner) owners.add(role.roleId);
    after = page.value.next;
    if (after === null || after === from) return owners;
  }
}

const DUE_NOW = { dueInMs: 0, waitMsMax: 0 } as const;

/** `everyMs`: between two requests. */
function makeTurns({ runs, clock, log }: Deps, held: HeldDestination, everyMs: number) {
  const { destinationId } = held.destination;
  const restMsAtStart = (held.run.restUntil?.getTime() ?? 0) - held.now().getTime();
  let readyAtMs = clock.monotonicMs() + Math.max(everyMs, restMsAtStart);
  let restsInRow = 0;
  const leftMs = (): number => Math.max(0, readyAtMs - clock.monotonicMs());
  const restMs = (): number => (leftMs() > TURN_WAIT_MS_MAX ? leftMs() : 0);

  return {
    restMs,
    /** Resolves at the turn of the next request; with more than 0 if that is too long to wait. */
    async await(): Promise<number> {
      if (restMs() === 0) await pause(leftMs(), held.signal);
      return restMs();
    },
    begin(): void {
      readyAtMs = clock.monotonicMs() + everyMs;
    },
    async end(reply: RoleReply<unknown>): Promise<void> {
      readyAtMs = Math.max(readyAtMs, clock.monotonicMs() + reply.pauseMs);
      if (reply.kind !== "rest") {
        restsInRow = 0;
        return;
      }
      const untoldMs = Math.min(REST_MS_MIN * 2 ** restsInRow, UNTOLD_REST_MS_MAX);
      restsInRow += 1;
      const forMs = Math.min(Math.max(reply.forMs ?? untoldMs, 1), REST_MS_MAX);
      readyAtMs = Math.max(readyAtMs, clock.monotonicMs() + forMs);
      log.debug({ destinationId, forMs }, "destination.rests");
      await runs.note(held, { restUntil: new Date(held.now().getTime() + forMs) });
    },
  };
}

function makeHealthKeeper({ runs, syncs, schedule, log }: Deps, held: HeldDestination) {
  const { destination, run } = held;
  const { destinationId, clanId, kind, state, since } = destination;
  let reason = destination.stateReason;
  let isResumed = false;
  let health: RoleHealth = {
    state,
    since,
    failures: run.failures,
    probes: run.probes,
    nextProbeAt: run.nextProbeAt,
    denied: new Set(),
    isDenied: false,
  };

  async function apply({ health: next, change, disable }: HealthDecision): Promise<void> {
    const before = health;
    health = disable === null ? next : { ...next, state: "disabled" };
    if (change?.stateReason !== undefined) reason = change.stateReason;
    if (change) await runs.note(held, change);
    const facts = { destinationId, clanId, kind };
    if (disable !== null) {
      await runs.disable(held, { reason: disable, at: held.now() });
      log.warn(facts, "destination.disabled");
    } else if (next.state !== before.state) {
      const hasFailed = next.state === "failing";
      isResumed = !hasFailed;
      if (hasFailed) log.warn(facts, "destination.failing");
      else log.info(facts, "destination.resumed");
      // They are the probes, and are changed once the credential may do it.
      if (hasFailed && next.isDenied) await syncs.mark(destination, [...next.denied], DUE_NOW);
    }
  }

  return {
    health: () => health,
    reason: () => reason,
    takeResumed(): boolean {
      const was = isResumed;
      isResumed = false;
      return was;
    },
    /** With this person, so many in a row could not be changed that the destination fails. */
    isLastOfRow: (platformId: string): boolean =>
      health.state === "active" && new Set(health.denied).add(platformId).size >= DENIED_MAX,
    forgive(): void {
      health = { ...health, denied: new Set() };
    },
    note: (reply: RoleReply<unknown>, changes: string | null) =>
      apply(decideHealth(health, { reply, changes }, { schedule, now: held.now() })),
    async endProbe(probesBefore: number): Promise<void> {
      const isOpen = health.state === "failing" && health.probes === probesBefore;
      if (isOpen) await apply(nextProbe(health, { schedule, now: held.now() }));
    },
    async resume(): Promise<void> {
      if (health.state === "failing") await apply(resumed(health, held.now()));
    },
  };
}
