// Holds the destinations that this process works on, and works on them (docs/decisions/0049).
//
// Each notifier has a lease, which it renews; one that is silent for too long loses it. From those that are not,
// the same function of its id chooses every destination's owner, which holds it with its lease. So a destination is
// worked on by one process, all of them share the work, and that of a process that ends passes to the others.
//
// Invariant: a process works on a destination only as long as no other one can hold it, by MongoDB's clock.
import { chunks } from "#async/chunks.ts";
import { logFailures } from "#async/failures.ts";
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import { retry } from "#async/retry.ts";
import type { DestinationKind, DestinationSecrets } from "#domain/destination.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Digest } from "#kernel/digest.ts";
import type { Log } from "#kernel/log.ts";
import {
  BEAT_EVERY_MS,
  CLAIMED_AT_ONCE,
  HOLD_EVERY_MS,
  HOLD_MARGIN_MS,
  HOLD_MS,
  STOP_MS_MAX,
  STOPPED_REST_MS,
  STORE_AGAIN_MS,
  UNOPENED_REST_MS,
} from "#delivery/bounds.ts";
import { parseSecrets } from "#delivery/open-secrets.ts";
import { makeOwners } from "#delivery/owners.ts";
import type { ClaimedDestination, HeldDestination, HoldStore, Lease, RunStore, Sealer } from "#delivery/ports.ts";
import type { RunDestination } from "#delivery/run-while-held.ts";

export type HoldDeps = {
  holds: HoldStore;
  runs: Pick<RunStore, "note">;
  notifierId: string;
  /** Null: without a key, nothing is sent. */
  sealer: Sealer | null;
  runners: Readonly<Record<DestinationKind, RunDestination>>;
  newToken: () => string;
  /** People ask for something that no notifier has taken on. */
  asked?: () => void;
  digest: Digest;
  clock: Pick<Clock, "monotonicMs" | "agingMs">;
  log: Log;
};

/**
 * `isEnded`: its runner has ended, and nothing is in flight; `isOutdated`: it is to be held anew. `rev`: the change by a
 * person that it began with.
 */
type Entry = {
  held: HeldDestination;
  leaseId: string;
  stopping: AbortController;
  isOutdated: boolean;
  isEnded: boolean;
  ended: Promise<void>;
};

export type Holding = {
  /** Those that this process holds now. */
  held(): HeldDestination[];
  /** Destinations whose secrets no key opens. */
  undecryptable(): number;
  /** Ends all work, and lets other processes begin. */
  stop(): Promise<void>;
};

// oxlint-disable-next-line eslint/max-lines-per-function -- its parts share what is held: the invariant
export function startHoldDestinations(deps: HoldDeps): Holding {
  const { holds, runs, notifierId, clock, log } = deps;
  const entries = new Map<string, Entry>();
  /** When each is tried again whose secrets no key opens, or that a bug has stopped. */
  const resting = { unopened: new Map<string, number>(), stopped: new Map<string, number>() };
  const owners = makeOwners(deps.digest);
  let known: ReadonlySet<string> | null = null;
  let lease: Lease | null = null;
  let keptUntilMs = -Infinity;
  /** MongoDB's, and this process's when the response arrived: what is reckoned from it is never ahead. */
  let time = { now: new Date(0), atMs: 0 };

  const isKept = (): boolean => clock.agingMs() < keptUntilMs;
  const isMine = (destinationId: string): boolean => owners.of(destinationId) === notifierId;
  const isResting = (id: string): boolean =>
    Object.values(resting).some((until) => clock.monotonicMs() < (until.get(id) ?? -Infinity));

  /** Logged by the owner alone. */
  function noteChanges(ids: readonly string[]): void {
    const before = known;
    known = new Set(ids);
    if (!before) return;
    for (const destinationId of ids)
      if (!before.has(destinationId) && isMine(destinationId)) log.info({ destinationId }, "destination.added");
    for (const destinationId of before)
      if (!known.has(destinationId) && isMine(destinationId)) log.info({ destinationId }, "destination.removed");
  }

  /** On its own timer, so that a long list of destinations does not delay it. */
  async function beat(): Promise<void> {
    const sentMs = clock.agingMs();
    let now = lease && (await holds.renew(lease));
    if (!now) {
      // It was silent for too long: others may hold what it held.
      lease = null;
      const next = { notifierId, leaseId: deps.newToken() };
      now = await holds.begin(next);
      lease = next;
    }
    keptUntilMs = sentMs + HOLD_MS - HOLD_MARGIN_MS;
    time = { now, atMs: clock.monotonicMs() };
  }

  async function look(): Promise<void> {
    const mine = lease;
    if (!mine) return;
    const { destinations, notifiers, isAsked } = await holds.list({ silentMs: HOLD_MS });
    if (isAsked) deps.asked?.();
    owners.choose(notifiers.filter(({ isSilent }) => !isSilent).map((one) => one.notifierId));
    const listed = new Map(destinations.map((one) => [one.destinationId, one]));
    for (const [id, entry] of entries) {
      const one = listed.get(id);
      const isSame = one?.rev === entry.held.rev && entry.leaseId === mine.leaseId && isMine(id);
      if (!isSame || entry.isOutdated) letGo(id, entry);
    }
    // Until it succeeds: the lease does not end as long as this process works.
    const passed = destinations.filter(
      ({ destinationId: id, holder }) => holder === mine.leaseId && !entries.has(id) && !isMine(id),
    );
    if (passed.length > 0)
      await holds.release(
        passed.map(({ destinationId }) => destinationId),
        mine,
      );
    const going = new Set(notifiers.map(({ leaseId }) => leaseId));
    const isFree = (holder: string | null): boolean => holder === null || holder === mine.leaseId || !going.has(holder);
    const free = destinations.filter(
      ({ destinationId: id, holder }) => isFree(holder) && !entries.has(id) && !isResting(id) && isMine(id),
    );
    for (const some of chunks(free, CLAIMED_AT_ONCE)) {
      const ended = [...new Set(some.flatMap(({ holder }) => holder ?? []))];
      const ids = some.map(({ destinationId }) => destinationId);
      const token = deps.newToken();
      const claimed = await holds.claim(ids, { lease: mine, token, ended });
      // Another notifier may hold them since, if the lease has ended meanwhile.
      if (lease !== mine) return;
      for (const one of claimed) hold(one, token, mine);
    }
    noteChanges([...listed.keys()]);
    for (const until of Object.values(resting)) for (const id of until.keys()) if (!listed.has(id)) until.delete(id);
  }

  /** Once nothing is in flight: until then another process, or the next runner, could send the same events. */
  function letGo(id: string, entry: Entry): void {
    entry.stopping.abort();
    if (entry.isEnded) entries.delete(id);
  }

  function hold(claimed: ClaimedDestination, token: string, { leaseId }: Lease): void {
    const { sealed, ...facts } = claimed;
    const { destinationId } = claimed.destination;
    const stopping = new AbortController();
    const unopened = {
      ...facts,
      token,
      signal: stopping.signal,
      isHeld: () => leaseId === lease?.leaseId && isKept(),
      now: () => new Date(time.now.getTime() + clock.monotonicMs() - time.atMs),
    };
    let secrets: DestinationSecrets | null;
    try {
      secrets = open(sealed, destinationId);
    } catch (error) {
      return void showStopped(unopened, error);
    }
    if (!secrets) return void resting.unopened.set(destinationId, clock.monotonicMs() + UNOPENED_REST_MS);
    resting.unopened.delete(destinationId);
    const held: HeldDestination = { ...unopened, secrets };
    const entry: Entry = { held, leaseId, stopping, isOutdated: false, isEnded: false, ended: Promise.resolve() };
    entries.set(destinationId, entry);
    entry.ended = runOf(held).then((how) => {
      entry.isOutdated = how === "outdated";
      entry.isEnded = true;
    });
  }

  async function runOf(held: HeldDestination): Promise<"ended" | "outdated"> {
    const { kind, state } = held.destination;
    if (state !== "active" && state !== "failing") return "ended";
    try {
      return await deps.runners[kind](held);
    } catch (error) {
      await showStopped(held, error);
      return "outdated";
    }
  }

  /** Stops this destination alone. People see it; whether the next probe succeeds shows that it works again. */
  async function showStopped(held: Omit<HeldDestination, "secrets">, error: unknown): Promise<void> {
    const { destinationId, state, since } = held.destination;
    log.error({ destinationId, err: error }, "destination.run_failed");
    resting.stopped.set(destinationId, clock.monotonicMs() + STOPPED_REST_MS);
    const now = held.now();
    const change = { state: "failing", stateReason: STOPPED, since: state === "failing" ? since : now } as const;
    await retry(() => runs.note(held, { ...change, nextProbeAt: now }), {
      pauseMs: STORE_AGAIN_MS,
      mayGoOn: held.isHeld,
      failed: logFailures(log, "destination.hold_failed", { destinationId }),
    }).catch(failed);
  }

  function open(sealed: string, destinationId: string): DestinationSecrets | null {
    const text = deps.sealer?.open(sealed, destinationId) ?? null;
    return text === null ? null : parseSecrets(text);
  }

  const failed = logFailures(log, "destination.hold_failed");
  const beating = repeat(() => (isKept() ? BEAT_EVERY_MS : HOLD_EVERY_MS), beat, failed);
  const looking = repeat(HOLD_EVERY_MS, look, failed);
  beating.now();

  return {
    held: () => [...entries.values()].map(({ held }) => held),
    undecryptable: () => resting.unopened.size,
    async stop() {
      await looking.stop();
      for (const { stopping } of entries.values()) stopping.abort();
      const ended = Promise.all([...entries.values()].map((entry) => entry.ended));
      // A receiver that hangs does not hold up the process: what was not recorded is sent again.
      await Promise.race([ended, pause(STOP_MS_MAX)]);
      await beating.stop();
      if (lease) await holds.leave(lease).catch(failed);
    },
  };
}

const STOPPED =
  "A fault of Clan XP has stopped it: look for destination.run_failed in the notifier's log. It is tried again by itself; events wait meanwhile.";
