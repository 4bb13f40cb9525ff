// What the stores of deliveries guarantee. MongoDB's and the fake ones of the simulation are both held to it.
import { expect, test } from "vitest";
import type { Attempt } from "#domain/destination.ts";
import type { ClanEvent, EventBody } from "#domain/event.ts";
import type { DeliverDeps } from "#delivery/delivery-run.ts";
import type { DeliveryRecord, DeliveryResult, HeldBy, HoldStore, Lease, RunStore } from "#delivery/ports.ts";
import type { EventPosition } from "#events/ports.ts";
import { fallOf, riseOf } from "./destinations.ts";

/** One clan. */
export type DeliveryStores = {
  clanId: string;
  feed: DeliverDeps["feed"];
  runs: RunStore;
  deliveries: Pick<DeliveryRecord, "listWaiting" | "record">;
  holds: HoldStore;
  add(): Promise<string>;
  append(bodies: readonly EventBody[]): Promise<ClanEvent[]>;
  erase(numbers: readonly number[]): Promise<void>;
  age(to: number): Promise<void>;
  resend(destinationId: string, events: readonly ClanEvent[]): Promise<number>;
  stateOf(destinationId: string): Promise<string | undefined>;
};

let leases = 0;
const newLease = (): Lease => ({ notifierId: `n${(leases += 1)}`, leaseId: `l${leases}` });

export function testDeliveryStores(open: () => Promise<DeliveryStores>): void {
  async function held(stores: DeliveryStores): Promise<HeldBy & { position: EventPosition | "oldest"; lease: Lease }> {
    const destinationId = await stores.add();
    const lease = newLease();
    await stores.holds.begin(lease);
    const token = `of ${lease.leaseId}`;
    const [claimed] = await stores.holds.claim([destinationId], { lease, token, ended: [] });
    if (!claimed) throw new Error("it is not free");
    return { destination: claimed.destination, position: claimed.position, rev: claimed.rev, token, lease };
  }
  const numbersOf = (listed: readonly { n: number }[]): number[] => listed.map(({ n }) => n);
  const result = (n: number, tried: number, changes: Partial<DeliveryResult> = {}): DeliveryResult => {
    const facts = { state: "waiting", attempt: null, counts: true, nextAt: null, reason: null } as const;
    return { n, tried, ...facts, ...changes };
  };

  test("events are read in order, by their types, and up to a number of them", async () => {
    const { feed, append, clanId } = await open();
    const events = await append([riseOf("a", 1), fallOf("a", 2), riseOf("b", 3)]);
    const types = ["member.rank_changed"] as const;
    const first = await feed.readAfter(clanId, "oldest", { types, limit: 2, examined: 100 });
    expect([numbersOf(first?.events ?? []), first?.reached.n, first?.hasMore]).toStrictEqual([[1, 2], 2, true]);
    const rest = await feed.readAfter(clanId, first?.reached ?? "oldest", { types, limit: 2, examined: 100 });
    expect([numbersOf(rest?.events ?? []), rest?.reached, rest?.hasMore]).toStrictEqual([
      [3],
      await feed.end(clanId),
      false,
    ]);
    const passed = await feed.readAfter(clanId, "oldest", { types: ["member.left"], limit: 2, examined: 2 });
    expect([passed?.events, passed?.reached.n, passed?.hasMore]).toStrictEqual([[], 2, true]);
    const undone = { n: 2, eventId: "evt_of_another_history" };
    expect(await feed.readAfter(clanId, undone, { types, limit: 2, examined: 2 })).toBeNull();
    expect([...(await feed.readAt(clanId, [3, 1, 9])).keys()].toSorted((a, b) => a - b)).toStrictEqual([1, 3]);
    expect((await feed.readAt(clanId, [3])).get(3)?.eventId).toBe(events[2]?.eventId);
    const beyond = { n: 4, eventId: "evt_4" };
    expect(await feed.readAfter(clanId, beyond, { types, limit: 2, examined: 2 })).toBeNull();
    const none = { events: [], reached: { n: 0, eventId: "" }, hasMore: false };
    expect(await feed.readAfter("nobody", "oldest", { types, limit: 2, examined: 2 })).toStrictEqual(none);
  });

  test("erased events keep their places; those deleted by age do not, except the newest", async () => {
    const { feed, append, erase, age, clanId } = await open();
    await append([riseOf("a", 1), riseOf("a", 2), riseOf("b", 3)]);
    await erase([2]);
    expect([...(await feed.listErased(clanId, [1, 2, 3]))]).toStrictEqual([2]);
    await age(2);
    expect(await feed.oldest(clanId)).toBe(3);
    const types = ["member.rank_changed"] as const;
    const first = await feed.readAfter(clanId, "oldest", { types, limit: 9, examined: 9 });
    expect(numbersOf(first?.events ?? [])).toStrictEqual([3]);
    expect(await feed.readAfter(clanId, { n: 0, eventId: "" }, { types, limit: 9, examined: 9 })).toBeNull();
    await age(3);
    expect([await feed.oldest(clanId), [...(await feed.listErased(clanId, [3]))]]).toStrictEqual([3, []]);
    expect((await feed.readAt(clanId, [3])).size).toBe(0);
  });

  test("events are taken once, and listed in parts while they wait", async () => {
    const stores = await open();
    const { runs, deliveries, append, feed, clanId } = stores;
    const by = await held(stores);
    const id = by.destination.destinationId;
    const events = await append([riseOf("a", 1), riseOf("a", 2), riseOf("b", 3)]);
    const taken = { events, reached: await feed.end(clanId), missed: 0 };
    expect([await runs.take(by, taken), await runs.take(by, taken)]).toStrictEqual([true, true]);
    expect(numbersOf(await deliveries.listWaiting(id, 2))).toStrictEqual([1, 2]);
    expect(numbersOf(await deliveries.listWaiting(id, 2, 2))).toStrictEqual([3]);
    await deliveries.record(id, [result(1, 0, { state: "delivered" }), result(2, 0)]);
    expect((await deliveries.listWaiting(id, 9)).map(({ n, tried }) => [n, tried])).toStrictEqual([
      [2, 1],
      [3, 0],
    ]);
    expect(await runs.miss(by, { numbers: [3], reason: "made up" })).toBe(true);
    expect(numbersOf(await deliveries.listWaiting(id, 9))).toStrictEqual([2]);
  });

  test("the result of an attempt does not end what was sent again since, or has ended", async () => {
    const stores = await open();
    const { runs, deliveries, append, feed, clanId } = stores;
    const by = await held(stores);
    const id = by.destination.destinationId;
    const events = await append([riseOf("a", 1)]);
    await runs.take(by, { events, reached: await feed.end(clanId), missed: 0 });
    const attempt = (ms: number): Attempt => ({ at: new Date(), ms, status: 500, error: "status", response: "down" });
    const first = result(1, 0, { attempt: attempt(1) });
    expect(await deliveries.record(id, [first])).toBe(true);
    // Once more, as after a lost response.
    expect(await deliveries.record(id, [first])).toBe(false);
    expect(await stores.resend(id, events)).toBe(1);
    expect(await deliveries.record(id, [result(1, 1, { state: "failed", attempt: attempt(2) })])).toBe(false);
    const waiting = await deliveries.listWaiting(id, 9);
    expect(waiting.map(({ tried, again, attempts }) => [tried, again, attempts.length])).toStrictEqual([[0, true, 2]]);
    expect(await deliveries.record(id, [result(1, 0, { state: "delivered" })])).toBe(true);
    expect(await deliveries.record(id, [result(1, 1)])).toBe(false);
    expect(await deliveries.listWaiting(id, 9)).toStrictEqual([]);
  });

  test("only the present hold changes a destination, and not after a change by a person", async () => {
    const stores = await open();
    const { runs, holds, feed, clanId } = stores;
    const by = await held(stores);
    const id = by.destination.destinationId;
    const taken = { events: [], reached: await feed.end(clanId), missed: 0 };
    const anew = { ...by, token: "anew" };
    await holds.claim([id], { lease: by.lease, token: anew.token, ended: [] });
    expect([await runs.note(by, { failures: 1 }), await runs.take(by, taken)]).toStrictEqual([false, false]);
    expect([await runs.note(anew, { failures: 1 }), await runs.take(anew, taken)]).toStrictEqual([true, true]);
    await stores.append([riseOf("a", 1)]);
    expect(await runs.note(anew, { state: "failing", stateReason: "made up" })).toBe(true);
    const disable = () => runs.disable(anew, { reason: "made up", at: new Date() });
    // By two of several responses at the same time.
    expect([await disable(), await disable()]).toStrictEqual([true, false]);
    expect([await runs.note(anew, { state: "active" }), await stores.stateOf(id)]).toStrictEqual([false, "disabled"]);
  });

  test("a destination is claimed once its holder's lease has ended, and not before", async () => {
    const stores = await open();
    const { holds } = stores;
    const by = await held(stores);
    const id = by.destination.destinationId;
    const other = newLease();
    await holds.begin(other);
    const claim = async (ended: string[]) => (await holds.claim([id], { lease: other, token: "t", ended })).length;
    const listed = async (silentMs: number) => {
      const { destinations, notifiers } = await holds.list({ silentMs });
      const { holder } = destinations.find(({ destinationId }) => destinationId === id) ?? {};
      return { holder, isGoing: notifiers.some(({ leaseId, isSilent }) => leaseId === by.lease.leaseId && !isSilent) };
    };
    expect(await listed(60_000)).toStrictEqual({ holder: by.lease.leaseId, isGoing: true });
    expect(await claim([])).toBe(0);
    expect(await holds.renew(by.lease)).not.toBeNull();
    await holds.leave(by.lease);
    expect(await holds.renew(by.lease)).toBeNull();
    expect(await listed(60_000)).toStrictEqual({ holder: by.lease.leaseId, isGoing: false });
    expect(await claim([by.lease.leaseId])).toBe(1);
    await holds.release([id], by.lease);
    expect((await listed(60_000)).holder).toBe(other.leaseId);
    await holds.release([id], other);
    expect((await listed(60_000)).holder).toBeNull();
    // Silent since a moment: it ends now.
    await new Promise((resolve) => setTimeout(resolve, 5));
    await holds.list({ silentMs: 1 });
    expect(await holds.renew(other)).toBeNull();
  });
}
