// Destinations, their deliveries, the notifiers that hold them and the chains of their clans' events, in memory, with
// the guarantees of MongoDB's stores: each call is made at one moment, or not at all. Its clock is the present time.
import { isRoleKind, type Attempt, type Destination } from "#domain/destination.ts";
import type { ClanEvent, EventBody } from "#domain/event.ts";
import type {
  DeliveryRecord,
  DeliveryResult,
  HeldBy,
  HoldStore,
  Lease,
  RunStore,
  StoredDestination,
} from "#delivery/ports.ts";
import type { DeliverDeps } from "#delivery/delivery-run.ts";
import type { EventPosition } from "#events/ports.ts";

/** `gone`: why its content was deleted. */
export type FakeEvent = { event: ClanEvent; gone: "erased" | "aged" | null };
export type FakeDelivery = {
  n: number;
  event: ClanEvent;
  state: DeliveryResult["state"];
  tried: number;
  attempts: Attempt[];
  nextAt: Date | null;
  reason: string | null;
  again: boolean;
};
type FakeDestination = StoredDestination & {
  run: Parameters<RunStore["note"]>[1] & HoldRun;
  rev: number;
  holder: (Lease & { token: string }) | null;
};
type HoldRun = Awaited<ReturnType<HoldStore["claim"]>>[number]["run"];

/** Everything that is stored, as a backup would have it. */
type Stored = {
  chains: Map<string, FakeEvent[]>;
  destinations: Map<string, FakeDestination>;
  deliveries: Map<string, Map<number, FakeDelivery>>;
  notifiers: Map<string, { leaseId: string; at: number }>;
};

export type FakeDestinations = ReturnType<typeof makeFakeDestinations>;

const NEW_RUN: HoldRun = {
  failures: 0,
  probes: 0,
  nextProbeAt: null,
  restUntil: null,
  fullSyncAt: null,
  syncedAt: null,
};

export function makeFakeDestinations() {
  let stored: Stored = { chains: new Map(), destinations: new Map(), deliveries: new Map(), notifiers: new Map() };
  let ids = 0;

  const chainOf = (clanId: string): FakeEvent[] => stored.chains.get(clanId) ?? [];
  /** What is deleted by age is the beginning of a chain, and of the newest event the number stays. */
  const rowsOf = (clanId: string): FakeEvent[] => {
    const rows = chainOf(clanId);
    const aged = rows.findIndex(({ gone }) => gone !== "aged");
    return rows.slice(aged < 0 ? -1 : aged);
  };
  const rowsAt = (clanId: string, numbers: readonly number[]): FakeEvent[] => {
    const rows = chainOf(clanId);
    return numbers.flatMap((n) => rows[n - 1] ?? []);
  };
  const positionOf = (row: FakeEvent | undefined): EventPosition =>
    row ? { n: row.event.n, eventId: row.event.eventId } : { n: 0, eventId: "" };
  const deliveriesOf = (id: string): Map<number, FakeDelivery> => stored.deliveries.get(id) ?? new Map();

  /** Null if it is not held by this lease, or was changed by a person. */
  function heldBy({ destination, token, rev }: HeldBy): FakeDestination | null {
    const found = stored.destinations.get(destination.destinationId);
    return found && found.holder?.token === token && found.rev === rev ? found : null;
  }

  function addWaiting(id: string, event: ClanEvent): void {
    const facts = { state: "waiting", tried: 0, attempts: [], nextAt: null, reason: null, again: false } as const;
    if (!deliveriesOf(id).has(event.n)) deliveriesOf(id).set(event.n, { n: event.n, event, ...facts, attempts: [] });
  }

  const feed: DeliverDeps["feed"] = {
    async readAfter(clanId, after, { types, limit, examined }) {
      const rows = rowsOf(clanId);
      const end = positionOf(rows.at(-1));
      const oldest = rows[0]?.event.n ?? 1;
      const isKnown =
        after === "oldest" ||
        (after.n === 0
          ? oldest === 1
          : rows.some(({ event }) => event.n === after.n && event.eventId === after.eventId));
      if (!isKnown) return null;
      const from = after === "oldest" ? oldest - 1 : after.n;
      const to = Math.min(end.n, from + examined);
      const matching = rows.filter(
        ({ event: { n, type }, gone }) => n > from && n <= to && !gone && types.includes(type),
      );
      const last = matching.length > limit ? matching[limit - 1] : rows.find(({ event }) => event.n === to);
      const reached = last ? positionOf(last) : end;
      return { events: matching.slice(0, limit).map(({ event }) => event), reached, hasMore: reached.n < end.n };
    },
    async readAt(clanId, numbers) {
      const rows = rowsAt(clanId, numbers).filter(({ gone }) => !gone);
      return new Map(rows.map(({ event }) => [event.n, event]));
    },
    async listErased(clanId, numbers) {
      const rows = rowsAt(clanId, numbers).filter(({ gone }) => gone === "erased");
      return new Set(rows.map(({ event }) => event.n));
    },
    oldest: async (clanId) => rowsOf(clanId)[0]?.event.n ?? 0,
    end: async (clanId) => positionOf(rowsOf(clanId).at(-1)),
  };

  const runs: RunStore = {
    async note(held, change) {
      const found = heldBy(held);
      if (!found || (change.state && !isSentTo(found.destination))) return false;
      const { state, stateReason, since, lastDeliveredAt, ...run } = change;
      const facts = Object.entries({ state, stateReason, since, lastDeliveredAt });
      Object.assign(found.destination, Object.fromEntries(facts.filter(([, value]) => value !== undefined)));
      Object.assign(found.run, run);
      return true;
    },
    async disable(held, { reason, at }) {
      const found = heldBy(held);
      if (!found || !isSentTo(found.destination)) return false;
      Object.assign(found.destination, { state: "disabled", stateReason: reason, since: at });
      return true;
    },
    async take(held, { events, reached, missed }) {
      const found = heldBy(held);
      if (!found) return false;
      found.position = reached;
      found.destination.missed += missed;
      for (const event of events) addWaiting(found.destination.destinationId, event);
      return true;
    },
    async miss(held, { numbers, reason }) {
      const found = heldBy(held);
      if (!found) return false;
      for (const n of numbers) {
        const one = deliveriesOf(found.destination.destinationId).get(n);
        if (one?.state !== "waiting") continue;
        if (!one.again) found.destination.missed += 1;
        Object.assign(one, { state: "skipped", reason, nextAt: null });
      }
      return true;
    },
  };

  const deliveries: Pick<DeliveryRecord, "listWaiting" | "record"> = {
    async listWaiting(destinationId, limit, after = 0) {
      const waiting = [...deliveriesOf(destinationId).values()].filter(
        ({ state, n }) => state === "waiting" && n > after,
      );
      return waiting
        .toSorted((a, b) => a.n - b.n)
        .slice(0, limit)
        .map(({ event: { eventId, type, at }, ...one }) => ({ ...one, destinationId, eventId, type, at }));
    },
    async record(destinationId, results) {
      let isAsKnown = true;
      for (const { n, state, attempt, tried, counts, nextAt, reason } of results) {
        const one = deliveriesOf(destinationId).get(n);
        if (one && attempt && !one.attempts.includes(attempt)) one.attempts.push(attempt);
        if (one?.state === "waiting" && one.tried === (tried ?? one.tried))
          Object.assign(one, { state, nextAt, reason, tried: one.tried + (counts ? 1 : 0) });
        else isAsKnown = false;
      }
      return isAsKnown;
    },
  };

  const holds: HoldStore = {
    async begin({ notifierId, leaseId }) {
      stored.notifiers.set(notifierId, { leaseId, at: Date.now() });
      return present();
    },
    async renew({ notifierId, leaseId }) {
      const found = stored.notifiers.get(notifierId);
      if (found?.leaseId !== leaseId) return null;
      found.at = Date.now();
      return present();
    },
    async list({ silentMs }) {
      const notifiers = [...stored.notifiers].map(([notifierId, { leaseId, at }]) => {
        return { notifierId, leaseId, isSilent: Date.now() - at > silentMs };
      });
      for (const { notifierId, isSilent } of notifiers) if (isSilent) stored.notifiers.delete(notifierId);
      const listed = [...stored.destinations.values()].map(({ destination, rev, holder }) => {
        const { destinationId, clanId } = destination;
        return { destinationId, clanId, rev, holder: holder?.leaseId ?? null };
      });
      return { destinations: listed, notifiers, isAsked: false };
    },
    async claim(destinationIds, { lease, token, ended }) {
      return destinationIds.flatMap((id) => {
        const found = stored.destinations.get(id);
        const leaseId = found?.holder?.leaseId;
        if (!found || (leaseId && leaseId !== lease.leaseId && !ended.includes(leaseId))) return [];
        found.holder = { ...lease, token };
        const { destination, sealed, position, run, rev } = found;
        return [{ destination: { ...destination }, sealed, position, run: { ...run }, rev }];
      });
    },
    async release(destinationIds, { leaseId }) {
      for (const id of destinationIds) {
        const found = stored.destinations.get(id);
        if (found?.holder?.leaseId === leaseId) found.holder = null;
      }
    },
    async leave({ notifierId, leaseId }) {
      if (stored.notifiers.get(notifierId)?.leaseId === leaseId) stored.notifiers.delete(notifierId);
    },
  };

  return {
    feed,
    runs,
    deliveries,
    holds,

    /** With the clan's events from the end of its chain on. */
    add(destination: Destination, sealed = "{}"): void {
      const position = positionOf(rowsOf(destination.clanId).at(-1));
      const fullSyncAt = isRoleKind(destination.kind) ? new Date(0) : null;
      const common = { sealed, position, run: { ...NEW_RUN, fullSyncAt }, rev: 0, holder: null };
      stored.destinations.set(destination.destinationId, { destination: structuredClone(destination), ...common });
      stored.deliveries.set(destination.destinationId, new Map());
    },
    append(clanId: string, bodies: readonly EventBody[]): ClanEvent[] {
      const rows = chainOf(clanId);
      const from = rows.length;
      const added = bodies.map((body, index): ClanEvent => {
        ids += 1;
        return { ...body, eventId: `evt_${ids}`, clanId, n: from + 1 + index, at: present() };
      });
      stored.chains.set(clanId, [...rows, ...added.map((event) => ({ event, gone: null }))]);
      return added;
    },
    erase(clanId: string, numbers: readonly number[]): void {
      for (const row of chainOf(clanId)) if (numbers.includes(row.event.n)) row.gone ??= "erased";
    },
    /** Deletes the events up to this number by age. */
    age(clanId: string, to: number): void {
      for (const row of chainOf(clanId)) if (row.event.n <= to) row.gone = "aged";
    },
    /** A person changes its state, which begins without failures. */
    change(destinationId: string, state: Destination["state"]): void {
      const found = stored.destinations.get(destinationId);
      if (!found) return;
      Object.assign(found.destination, { state, stateReason: null, since: present() });
      const isComparedAnew = state === "active" && isRoleKind(found.destination.kind);
      found.run = { ...NEW_RUN, fullSyncAt: isComparedAnew ? new Date(0) : found.run.fullSyncAt };
      found.rev += 1;
      if (state !== "active") return;
      for (const one of deliveriesOf(destinationId).values()) if (one.state === "waiting") one.nextAt = null;
    },
    /** A person sends these once more, as far as the destination has reached them. Returns how many. */
    resend(destinationId: string, events: readonly ClanEvent[]): number {
      const found = stored.destinations.get(destinationId);
      if (!found) return 0;
      const reachedN = found.position === "oldest" ? 0 : found.position.n;
      const reached = events.filter(({ n }) => n <= reachedN);
      for (const event of reached) {
        addWaiting(destinationId, event);
        const one = deliveriesOf(destinationId).get(event.n);
        if (one) Object.assign(one, { state: "waiting", again: true, tried: 0, nextAt: null, reason: null });
      }
      found.rev += 1;
      return reached.length;
    },
    read: (destinationId: string) => stored.destinations.get(destinationId),
    deliveryOf: (destinationId: string, n: number) => deliveriesOf(destinationId).get(n),
    deliveriesOf: (destinationId: string) => [...deliveriesOf(destinationId).values()],
    chainOf,
    backup: (): Stored => structuredClone(stored),
    restore(backup: Stored): void {
      stored = structuredClone(backup);
    },
  };
}

/** By the clock of the history, which is virtual. */
function present(): Date {
  return new Date(Date.now());
}

function isSentTo({ state }: Destination): boolean {
  return state === "active" || state === "failing";
}
