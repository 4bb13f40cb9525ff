// Finding an event that a person wants sent again: its number finds it immediately, its id alone by bounded reads.
import { expect, test } from "vitest";
import { makeResendDeliveries } from "#delivery/resend-deliveries.ts";
import { testActor } from "../../support/actor.ts";
import { sampleDestination, sampleEvents } from "../../support/sample-events.ts";

const [sample] = sampleEvents;
const END = 25_000;

/** Of a chain with events 1 to END, each with the id `evt_<n>`; the last `within` of each read of several events. */
function resending(searchedMax?: number) {
  const reads: number[] = [];
  const eventAt = (n: number) =>
    ({ ...sample, type: "member.joined", n, eventId: `evt_${n}` }) as typeof sample & object;
  const destination = { ...sampleDestination("webhook"), types: ["member.joined"] as const };
  const resend = makeResendDeliveries({
    destinations: {
      read: async () => ({ destination, sealed: "", position: { n: END, eventId: `evt_${END}` }, rev: 0 }),
    },
    deliveries: {
      resend: async (_id, which) => ("events" in which ? which.events.length : 0),
      counts: async () => new Map(),
      page: async () => ({ items: [], next: null }),
      listFailed: async () => [],
    },
    events: {
      before: async () => "oldest",
      readAfter: async () => null,
      end: async () => ({ n: END, eventId: `evt_${END}` }),
      oldest: async () => 1,
      readAt: async (_clanId, numbers) => new Map(numbers.map((n) => [n, eventAt(n)])),
      async locate(_clanId, n, { eventId, within }) {
        reads.push(within);
        const at = Number(eventId.slice("evt_".length));
        return at > n && at <= n + within ? { n: at, eventId } : null;
      },
    },
    ...(searchedMax === undefined ? {} : { searchedMax }),
  });
  return { resend: (eventId: string, n?: number) => resend("dst_1", { eventId, n }, testActor), reads };
}

test("an event with its number costs no search, and a wrong number finds nothing", async () => {
  const { resend, reads } = resending();
  expect(await resend("evt_7", 7)).toStrictEqual({ kind: "resent", events: 1 });
  expect(await resend("evt_7", 8)).toMatchObject({ kind: "rejected", why: "no_event" });
  expect(reads).toStrictEqual([]);
});

test("an event without its number is searched from the newest on, at most 10,000 events in a read", async () => {
  const { resend, reads } = resending();
  expect(await resend("evt_1")).toStrictEqual({ kind: "resent", events: 1 });
  expect(reads).toStrictEqual([10_000, 10_000, 5_000]);
});

test("the search ends after so many events, and says what to do for older ones", async () => {
  const { resend, reads } = resending(20_000);
  expect(await resend("evt_1")).toMatchObject({
    kind: "rejected",
    why: "no_event",
    detail: expect.stringMatching(/newest 20000 events there is no evt_1 .* time span/),
  });
  expect(reads).toStrictEqual([10_000, 10_000]);
});
