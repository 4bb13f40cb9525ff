// Gives every committed change its events, in the chain of its clan. Each worker does this for all clans.
//
// Each event gets exactly one place, and the events of a member are in the order of their changes:
//
// - Nothing is missing: a change is flagged in its own record, and the flag is removed once a majority holds its
//   events.
// - Nothing is doubled: the chain rejects a second event of a change, and a turn skips what the chain holds.
// - A turn reads the newest number first. If another process appends anything after that, the number that this turn
//   appends is taken, and everything that it has read is void. Nothing else protects a turn: no clock, lock or lease.
// - A member's changes are read in the order of their numbers (seq). A majority that holds seq 6 holds seq 5, so a turn
//   that meets seq 6 has met seq 5, unless its events have their places. Each turn therefore begins at a member's first
//   change, never in the middle.
// - An erasure deletes the member's entries and appends an event afterwards. A turn that had read them before fails.
import { nameOfEvent } from "#domain/change-ref.ts";
import type { EventBody, EventType } from "#domain/event.ts";
import { eventsOfEntry } from "#domain/events-of-entry.ts";
import type { Rank } from "#domain/rank.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import type { ClanStore } from "#clans/ports.ts";
import { CHANGES_PER_TURN, CLANS_PER_TURN } from "#events/bounds.ts";
import type {
  ChainAddition,
  EventChain,
  NewEvent,
  UnnumberedChange,
  UnnumberedChanges,
  UnnumberedClan,
} from "#events/ports.ts";
import type { NameStore } from "#names/ports.ts";

export type NumberEvents = {
  /** Numbers the events of all changes that are committed by now. Throws AppError `unavailable`. */
  run(stopping: AbortSignal): Promise<void>;
  /** Events of changes that were committed longer ago than this have numbers. */
  behindMs(): number;
};

export type NumberedEvents = { clanId: string; events: readonly { type: EventType; at: Date }[] };

/** Whether changes are left for another turn. `raced`: another worker numbers them. */
type Left = "none" | "some" | "raced";
/** What a turn adds to the chain of a clan, and for which changes. */
type Plan = Omit<ChainAddition, "events"> & {
  events: readonly NewEvent[];
  changes: readonly UnnumberedChange[];
};

// oxlint-disable-next-line eslint/max-lines-per-function -- what a turn leaves decides how the next one begins
export function makeNumberEvents(deps: {
  changes: UnnumberedChanges;
  chain: EventChain;
  clans: Pick<ClanStore, "read">;
  names: Pick<NameStore, "read">;
  ids: Pick<Ids, "event">;
  /** Events are readable from now on. */
  numbered: (events: NumberedEvents) => void;
  clock: Pick<Clock, "monotonicMs">;
  log: Log;
}): NumberEvents {
  const { changes, chain, clans, names, ids, numbered, clock, log } = deps;
  /** By clan, the last member of the turn before, if it did not reach the end. */
  const reached = new Map<string, string>();
  /** When the last pass began that left no changes. */
  let completeAtMs = clock.monotonicMs();
  /** One after a lost race, so that a clan that always fails delays no other one. */
  let clansPerTurn = CLANS_PER_TURN;

  async function run(stopping: AbortSignal): Promise<void> {
    // Clans take turns, so that none waits for all changes of another one.
    for (let left: Left = "some"; left === "some" && !stopping.aborted;) {
      const beganAtMs = clock.monotonicMs();
      left = "none";
      for (let after: string | null = null; !stopping.aborted;) {
        const due: UnnumberedClan[] = await changes.clans(after, clansPerTurn);
        const last = due.at(-1);
        if (!last) break;
        const ofTurn = await takeTurn(due);
        if (ofTurn === "some" || left === "none") left = ofTurn;
        after = last.clanId;
      }
      if (left === "none") completeAtMs = beganAtMs;
      clansPerTurn = left === "raced" ? 1 : CLANS_PER_TURN;
    }
  }

  async function takeTurn(due: readonly UnnumberedClan[]): Promise<Left> {
    const startedInside = due.some(({ clanId }) => reached.has(clanId));
    const rules = await clans.read(due.map(({ clanId }) => clanId));
    const plans = await Promise.all(due.map((clan) => plan(clan, rules.get(clan.clanId)?.ranks ?? [])));
    const added = plans.filter(({ events }) => events.length > 0);
    const total = added.reduce((sum, { events }) => sum + events.length, 0);
    const stored = total === 0 ? 0 : await chain.append(added);
    noteNumbered(added, stored);
    if (stored > 0) log.debug({ clans: added.length, events: stored }, "event.numbered");
    if (stored < total) {
      // By the worker that appended meanwhile, or by the next pass.
      log.debug({ clans: due.length }, "event.raced");
      return "raced";
    }
    await Promise.all(plans.map(({ changes: settled, end }) => changes.settle(settled, end)));
    const isFull = plans.map(noteReached).includes(true);
    return isFull || startedInside ? "some" : "none";
  }

  async function plan(clan: UnnumberedClan, ranks: readonly Rank[]): Promise<Plan> {
    const { clanId } = clan;
    const end = await chain.newest(clanId);
    const found = await changes.list(clan, { afterMember: reached.get(clanId) ?? null, limit: CHANGES_PER_TURN });
    const existing = await chain.listNumbered(
      clanId,
      found.map(({ ref }) => ref),
    );
    const events = inOrder(found)
      .flatMap((change) => eventsOf(change, ranks))
      .filter((event) => !existing.has(nameOfEvent(event.ref, event.type)))
      .map((event): NewEvent => ({ ...event, eventId: ids.event() }));
    await nameMembers(clanId, events);
    return { clanId, end, events, changes: found };
  }

  /** The first of them are stored. */
  function noteNumbered(added: readonly Plan[], stored: number): void {
    let left = stored;
    for (const { clanId, events } of added) {
      const own = events.slice(0, left).map(({ type, ref: { at } }) => ({ type, at }));
      left -= own.length;
      if (own.length > 0) numbered({ clanId, events: own });
    }
  }

  /** Whether the turn did not reach the clan's last change. */
  function noteReached({ clanId, changes: settled }: Plan): boolean {
    const last = settled.findLast(({ kind }) => kind === "entry");
    const isFull = settled.length === CHANGES_PER_TURN;
    if (isFull && last?.kind === "entry") reached.set(clanId, last.entry.platformId);
    else reached.delete(clanId);
    return isFull;
  }

  async function nameMembers(clanId: string, events: readonly NewEvent[]): Promise<void> {
    const named = events.flatMap(({ data }): { platformId: string; name?: string | null }[] =>
      "top" in data ? [...data.top] : "name" in data && "platformId" in data ? [data] : [],
    );
    if (named.length === 0) return;
    const known = await names.read(clanId, [...new Set(named.map(({ platformId }) => platformId))]);
    for (const data of named) data.name = known.get(data.platformId) ?? null;
  }

  return { run, behindMs: () => clock.monotonicMs() - completeAtMs };
}

type Unnamed = EventBody & Pick<NewEvent, "ref">;

function eventsOf(change: UnnumberedChange, ranks: readonly Rank[]): Unnamed[] {
  const { ref } = change;
  if (change.kind === "other") return [{ ...change.event, ref }];
  const { entry, announced, before } = change;
  return eventsOfEntry(entry, announced, { before, ranks }).map((event) => ({ ...event, ref }));
}

/** By time, but never a later change of a member before an earlier one, whatever the clocks of their processes. */
function inOrder(changes: readonly UnnumberedChange[]): UnnumberedChange[] {
  const latestMs = new Map<string, number>();
  const placed = changes.map((change) => {
    const { subject, at } = change.ref;
    const atMs = at.getTime();
    const placeMs = Math.max(atMs, latestMs.get(subject) ?? atMs);
    latestMs.set(subject, placeMs);
    return { change, placeMs };
  });
  return placed.toSorted((a, b) => a.placeMs - b.placeMs).map(({ change }) => change);
}
