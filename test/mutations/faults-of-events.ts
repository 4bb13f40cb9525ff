// Realistic mistakes in events, destinations and boards, for test/mutate.ts.
import type { Fault } from "./fault.ts";

const NUMBER = "libs/events/number-events.ts";
const OF_ENTRY = "libs/domain/events-of-entry.ts";
const READ = "libs/events/read-events.ts";
const WANTED = "libs/delivery/wanted-events.ts";
const HEALTH = "libs/delivery/health.ts";
const WEBHOOK = "libs/delivery/couriers/webhook-courier.ts";

const EVENTS = ["test/libs/domain", "test/simulation/events", "test/api/list-events", "test/libs/events/store"];
const DESTINATIONS = [
  "test/libs/delivery",
  "test/libs/delivery/couriers",
  "test/apps/notifier",
  "test/apps/cli/destination",
];
const BOARDS = ["test/libs/domain", "test/libs/boards", "test/api/list-standings"];

export const faultsOfEvents: readonly Fault[] = [
  {
    name: "an event that is numbered already gets a second number",
    file: NUMBER,
    from: ".filter((event) => !existing.has(nameOfEvent(event.ref, event.type)))",
    to: ".filter((event) => !existing.has(nameOfEvent(event.ref, event.type)) || existing.size > 1)",
    tests: EVENTS,
  },
  {
    name: "events lack the names of members",
    file: NUMBER,
    from: "data.name = known.get(data.platformId) ?? null",
    to: "data.name = known.get(clanId) ?? null",
    tests: EVENTS,
  },
  {
    name: "the event of a person's award names an API key",
    file: OF_ENTRY,
    from: "keyId: actor === undefined ? apiKeyId : null,",
    to: "keyId: apiKeyId,",
    tests: EVENTS,
  },
  {
    name: "a deduction that lowers a rank is announced as a rise",
    file: OF_ENTRY,
    from: 'entry.applied < 0n ? "down" : "up"',
    to: 'entry.xp < 0n ? "down" : "up"',
    tests: EVENTS,
  },
  {
    name: "any number of calls wait for events",
    file: READ,
    from: "if (isAnswer(first) || !waiting.take(place)) return first;",
    to: "if (isAnswer(first)) return first;",
    tests: EVENTS,
  },
  {
    name: "a call waits for events twice as long as it was asked to",
    file: READ,
    from: "const endMs = clock.monotonicMs() + waitMs;",
    to: "const endMs = clock.monotonicMs() + waitMs * 2;",
    tests: EVENTS,
  },
  {
    name: "a destination of rises gets everything, the others only rises",
    file: WANTED,
    from: 'if (only !== "up") return true;',
    to: 'if (only === "up") return true;',
    tests: DESTINATIONS,
  },
  {
    name: "a destination is told only of its own end",
    file: WANTED,
    from: "event.data.destinationId !== destinationId",
    to: "event.data.destinationId === destinationId",
    tests: DESTINATIONS,
  },
  {
    name: "a destination is failing one failure too late",
    file: HEALTH,
    from: "failures >= FAILURES_MAX",
    to: "failures > FAILURES_MAX",
    tests: DESTINATIONS,
  },
  {
    name: "the pauses between attempts begin one too early",
    file: HEALTH,
    from: "retryMs[tried]",
    to: "retryMs[tried - 1]",
    tests: DESTINATIONS,
  },
  {
    name: "a failing destination that rejects a message is asked again immediately",
    file: HEALTH,
    from: "change: isProbe ? nextProbe() : {}, disable: null",
    to: "change: {}, disable: null",
    tests: DESTINATIONS,
  },
  {
    name: "who could not be changed while others were still counts against the credential",
    file: "libs/delivery/role-outcomes.ts",
    from: "for (const member of denied) apart.add(member);",
    to: "",
    tests: DESTINATIONS,
  },
  {
    name: "a credential that may change nobody works again as soon as it can read",
    file: "libs/delivery/role-outcomes.ts",
    from: 'return changes === null ? null : { kind: "refused" };',
    to: 'return { kind: "works" };',
    tests: DESTINATIONS,
  },
  {
    name: "a webhook signs its parts in another order",
    file: WEBHOOK,
    from: "`${id}.${timestamp}.${body}`",
    to: "`${timestamp}.${id}.${body}`",
    tests: [...DESTINATIONS, "test/docs/receive-webhooks"],
  },
  {
    name: "the old secret of a webhook signs nothing during its grace",
    file: WEBHOOK,
    from: "endsAt === null || endsAt > now",
    to: "endsAt === null",
    tests: DESTINATIONS,
  },
  {
    name: "404 disables a webhook, and 410 does not",
    file: WEBHOOK,
    from: "if (status === 410)",
    to: "if (status === 404)",
    tests: DESTINATIONS,
  },
  {
    name: "Retry-After is understood as milliseconds",
    file: "libs/delivery/couriers/retry-after.ts",
    from: "Number(value) * 1_000",
    to: "Number(value)",
    tests: DESTINATIONS,
  },
  {
    name: "events of a span are sent again with the one at its end",
    file: "libs/delivery/resendable-events.ts",
    from: "at >= from && at < to",
    to: "at >= from && at <= to",
    tests: DESTINATIONS,
  },
  {
    name: "webhooks reach the addresses of a cloud's metadata",
    file: "libs/delivery/couriers/address-rules.ts",
    from: '  "169.254.0.0/16",\n  "172.16.0.0/12",',
    to: '  "172.16.0.0/12",',
    tests: DESTINATIONS,
  },
  {
    name: "members with equal XP have different positions in a final period",
    file: "libs/boards/finish-periods.ts",
    from: "if (standing.xp !== lastXp)",
    to: "if (standing.xp !== lastXp || members > 1)",
    tests: BOARDS,
  },
  {
    name: "the moment of a boundary belongs to the period that it ends",
    file: "libs/domain/period.ts",
    from: "(parts[middle]?.startsAt ?? time) <= time",
    to: "(parts[middle]?.startsAt ?? time) < time",
    tests: BOARDS,
  },
  {
    name: "a board counts the newest entry of a member again",
    file: "libs/domain/standing.ts",
    from: "known ? entry.seq <= known.seq",
    to: "known ? entry.seq < known.seq",
    tests: BOARDS,
  },
];
