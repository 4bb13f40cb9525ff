// Requests to the group or server of a destination that this process holds: one at a time, at an even pace, and none
// once another process may hold it. All work on a destination shares its lane.
//
// Only the holder sends, and a new one waits a turn before its first request: the pace holds over all processes.
import { pause } from "#async/pause.ts";
import { isRoleKind, type RoleKind, type RoleMapping } from "#domain/destination.ts";
import { REST_MS_MAX } from "#delivery/bounds.ts";
import { REST_MS_MIN, TURN_WAIT_MS_MAX, UNTOLD_REST_MS_MAX } from "#delivery/role-bounds.ts";
import { decideHealth, healthAfter, isSentTo, type Health, type Outcome, type Schedule } from "#delivery/health.ts";
import type { HeldDestination, RunStore } from "#delivery/ports.ts";
import { makeRoleOutcomes } from "#delivery/role-outcomes.ts";
import type { OfferedRole, RoleClient, RolePage, RoleReply, RoleService } from "#delivery/role-ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Log } from "#kernel/log.ts";

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
  health(): Health;
  /** Why it is failing or disabled, as a sentence; null if it is not. */
  reason(): string | null;
  /** Its state could not be stored, because the destination is held anew. Nothing is sent any more. */
  isOutdated(): boolean;
  /** Says what a request, or that there was none, shows about the destination. */
  note(outcome: Outcome): Promise<void>;
  /** Those in a row whose roles could not be changed, although nothing says that it is about them. */
  denied(): ReadonlySet<string>;
  ownerRoles(): Promise<ReadonlySet<string>>;
};

export type RoleLanes = (held: HeldDestination) => RoleLane;

type Deps = {
  services: Readonly<Record<RoleKind, RoleService>>;
  runs: Pick<RunStore, "note" | "disable">;
  schedule: Pick<Schedule, "probeMs" | "disableAfterMs">;
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
  const outcomes = makeRoleOutcomes();
  let owners: ReadonlySet<string> | null = null;
  // One request after the other.
  let last: Promise<unknown> = Promise.resolve();

  async function send<Value>(
    changes: string | null,
    request: (of: RoleClient) => Promise<RoleReply<Value>>,
  ): Promise<LaneReply<Value>> {
    const restMs = await turns.await();
    if (held.signal.aborted || !held.isHeld() || keeper.isOutdated()) return { kind: "lost" };
    if (restMs > 0) return { kind: "rest", forMs: restMs, pauseMs: 0 };
    turns.begin();
    const reply = await request(client);
    await turns.end(reply);
    const outcome = outcomes.of(reply, changes);
    if (outcome) await keeper.note(outcome, reply.kind === "done" && changes !== null);
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
    isOutdated: keeper.isOutdated,
    note: keeper.note,
    denied: () => outcomes.denied,
    async ownerRoles() {
      owners ??= await readOwnerRoles(lane);
      return owners ?? new Set();
    },
  };
  return lane;
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

function makeHealthKeeper({ runs, schedule, log }: Deps, held: HeldDestination) {
  const { destinationId, clanId, kind, state, since, stateReason } = held.destination;
  let reason = stateReason;
  let health: Health = { state, since, ...held.run };
  let isOutdated = false;

  return {
    health: () => health,
    reason: () => reason,
    isOutdated: () => isOutdated,
    async note(outcome: Outcome, hasChanged = false): Promise<void> {
      // Otherwise only what a person asks for is sent, and it changes no state.
      if (!isSentTo(health)) return;
      const [before, now] = [health, held.now()];
      const decision = decideHealth(before, outcome, { schedule, now, isProbe: before.state === "failing" });
      const { change, disable } = decision;
      const { failures = 0, probes = 0 } = change;
      const isNews = change.state !== undefined || before.failures + before.probes + failures + probes > 0;
      // All members are compared: many could not be changed meanwhile.
      if (change.state === "active") change.fullSyncAt = now;
      if (hasChanged) change.lastDeliveredAt = now;
      if (change.stateReason !== undefined) reason = change.stateReason;
      health = healthAfter(before, decision);
      const facts = { destinationId, clanId, kind };
      if (disable !== null) {
        await runs.disable(held, { reason: disable, at: now });
        log.warn(facts, "destination.disabled");
        return;
      }
      // A claim whose response was lost may have been made after this one, by the same process.
      if ((isNews || hasChanged) && !(await runs.note(held, change))) {
        isOutdated = true;
        return;
      }
      if (change.state === "failing") log.warn(facts, "destination.failing");
      else if (change.state === "active") log.info(facts, "destination.resumed");
    },
  };
}
