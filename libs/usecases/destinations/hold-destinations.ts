// Holds the destinations that this process works on, and works on them (docs/decisions/0049).
//
// Each notifier shows that it is alive. From those that are, the same function of its id chooses every destination's
// owner, which holds it in MongoDB for a bounded time, and renews that. So a destination is worked on by one process,
// all of them share the work, and that of a process that ends passes to the others.
//
// Invariant: a process works on a destination only as long as no other one can hold it, by MongoDB's clock.
import { pause } from "#async/pause.ts";
import { repeat } from "#async/repeat.ts";
import type { DestinationKind, DestinationSecrets } from "#domain/destination.ts";
import type { Clock, Digest, Log } from "#runtime/ports.ts";
import {
  BEAT_EVERY_MS,
  HOLD_EVERY_MS,
  HOLD_MARGIN_MS,
  HOLD_MS,
  STOP_MS_MAX,
  UNOPENED_REST_MS,
} from "#usecases/destinations/bounds.ts";
import type { RunDestination } from "#usecases/destinations/deliver-events.ts";
import { parseSecrets } from "#usecases/destinations/open-secrets.ts";
import type { HeldDestination, HoldStore, Sealer } from "#usecases/destinations/ports.ts";

export type HoldDeps = {
  holds: HoldStore;
  notifierId: string;
  /** Null: without a key, nothing is sent. */
  sealer: Sealer | null;
  runners: Readonly<Record<DestinationKind, RunDestination>>;
  newToken: () => string;
  digest: Digest;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
};

/**
 * `isEnded`: its runner has ended, and nothing is in flight. `isLost`: another process may hold it. `rev`: the change by
 * a person that it began with.
 */
type Entry = {
  rev: number;
  held: HeldDestination;
  stopping: AbortController;
  isLost: boolean;
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
  const { holds, notifierId, digest, clock, log } = deps;
  const entries = new Map<string, Entry>();
  /** By when each may be tried again. */
  const unopened = new Map<string, number>();
  let alive: string[] = [];
  let known: ReadonlySet<string> | null = null;
  let beatAtMs = -Infinity;
  let keptUntilMs = -Infinity;

  const isMine = (destinationId: string): boolean => ownerOf(destinationId) === notifierId;

  /** Rendezvous hashing: if a notifier ends or another begins, only its share passes on. Null: none is alive. */
  function ownerOf(destinationId: string): string | null {
    let owner: { id: string; weight: string } | null = null;
    for (const id of alive) {
      const weight = digest(`${id} ${destinationId}`);
      if (!owner || weight > owner.weight) owner = { id, weight };
    }
    return owner?.id ?? null;
  }

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

  async function beat(): Promise<void> {
    const sentMs = clock.monotonicMs();
    const seen = await holds.beat(notifierId, { holdMs: HOLD_MS });
    alive = seen.alive;
    beatAtMs = sentMs;
    const kept = new Set(seen.held);
    // Another process has taken them after this one was silent for too long.
    for (const [id, entry] of entries) if (!kept.has(id)) entry.isLost = true;
    // Of those that are left, all were held when the request arrived.
    keptUntilMs = sentMs + HOLD_MS - HOLD_MARGIN_MS;
  }

  async function look(): Promise<void> {
    if (clock.monotonicMs() - beatAtMs >= BEAT_EVERY_MS) await beat();
    const listed = new Map((await holds.list()).map((one) => [one.destinationId, one]));
    for (const [id, entry] of entries) {
      const one = listed.get(id);
      if (!one || one.rev !== entry.rev || entry.isLost || !isMine(id)) await letGo(id, entry);
    }
    for (const id of listed.keys()) {
      if (isMine(id) && !entries.has(id) && clock.monotonicMs() >= (unopened.get(id) ?? -Infinity)) await hold(id);
    }
    noteChanges([...listed.keys()]);
    for (const id of unopened.keys()) if (!listed.has(id)) unopened.delete(id);
  }

  /** Once nothing is in flight: until then another process, or the next runner, could send the same events. */
  async function letGo(id: string, entry: Entry): Promise<void> {
    entry.stopping.abort();
    if (!entry.isEnded) return;
    entries.delete(id);
    if (!isMine(id)) await holds.release(id, entry.held.token);
  }

  async function hold(destinationId: string): Promise<void> {
    const token = deps.newToken();
    const sentMs = clock.monotonicMs();
    const claimed = await holds.claim(destinationId, { notifierId, token, holdMs: HOLD_MS });
    if (!claimed) return;
    const secrets = open(claimed.sealed, destinationId);
    if (!secrets) {
      unopened.set(destinationId, clock.monotonicMs() + UNOPENED_REST_MS);
      await holds.release(destinationId, token);
      return;
    }
    unopened.delete(destinationId);
    const { now, sealed: _sealed, ...facts } = claimed;
    const stopping = new AbortController();
    const ownUntilMs = sentMs + HOLD_MS - HOLD_MARGIN_MS;
    const held: HeldDestination = {
      ...facts,
      secrets,
      token,
      signal: stopping.signal,
      isHeld: () => !entry.isLost && clock.monotonicMs() < Math.max(keptUntilMs, ownUntilMs),
      now: () => new Date(now.getTime() + clock.monotonicMs() - sentMs),
    };
    const notEnded = { isLost: false, isEnded: false, ended: Promise.resolve() };
    const entry: Entry = { rev: claimed.rev, held, stopping, ...notEnded };
    entries.set(destinationId, entry);
    entry.ended = runOf(held).then(() => void (entry.isEnded = true));
  }

  async function runOf(held: HeldDestination): Promise<void> {
    const { destinationId, kind, state } = held.destination;
    if (state !== "active" && state !== "failing") return;
    try {
      await deps.runners[kind](held);
    } catch (error) {
      log.error({ destinationId, err: error }, "destination.run_failed");
    }
  }

  function open(sealed: string, destinationId: string): DestinationSecrets | null {
    const text = deps.sealer?.open(sealed, destinationId) ?? null;
    return text === null ? null : parseSecrets(text);
  }

  const looking = repeat(HOLD_EVERY_MS, look, (error) => log.debug({ err: error }, "destination.hold_failed"));
  looking.now();

  return {
    held: () => [...entries.values()].map(({ held }) => held),
    undecryptable: () => unopened.size,
    async stop() {
      await looking.stop();
      for (const { stopping } of entries.values()) stopping.abort();
      const ended = Promise.all([...entries.values()].map((entry) => entry.ended));
      // A receiver that hangs does not hold up the process: what was not recorded is sent again.
      await Promise.race([ended, pause(STOP_MS_MAX)]);
      const given = [...entries].map(([id, { held }]) => holds.release(id, held.token));
      await Promise.allSettled([...given, holds.leave(notifierId)]);
    },
  };
}
