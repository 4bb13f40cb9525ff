// Mistakes in deliveries, for mutation-list.ts.
import type { Mutation } from "./mutated-files.ts";

const DELIVER = "libs/delivery/deliver-events.ts";
const SEND = "libs/delivery/send-deliveries.ts";
const RECORD = "libs/delivery/record-results.ts";
const HOLD = "libs/delivery/hold-destinations.ts";
const TAKE = "libs/delivery/take-events.ts";
const ABSENT = "libs/delivery/settle-absent.ts";
const WAITING = "libs/delivery/waiting-deliveries.ts";
const FOLLOW = "libs/delivery/follow-ranks.ts";
const FULL = "libs/delivery/full-sync.ts";
const MARK = "libs/delivery/mark-members.ts";
const LANES = "libs/delivery/role-lanes.ts";
const STORES = "test/simulation/delivery/fake-destinations.ts";

const TESTS = ["engine", "leases", "roles", "delivery"].map((name) => `test/simulation/delivery/${name}.test.ts`);

const mistake = (name: string, file: string, from: string, to: string): Mutation => ({
  name,
  patches: [{ file, from, to }],
  tests: TESTS,
});

export const DELIVERY_MUTATIONS: readonly Mutation[] = [
  mistake(
    "what waits beyond the part in memory is never loaded",
    DELIVER,
    "at.loadedTo = stored.length < limit ? Infinity : (stored.at(-1)?.n ?? Infinity);",
    "at.loadedTo = Infinity;",
  ),
  mistake(
    "newer events are taken while earlier ones are not in memory",
    TAKE,
    "if (at.loadedTo !== Infinity) return true;",
    "",
  ),
  mistake(
    "a destination that is failing while nothing waits is not probed",
    SEND,
    "(isProbeOfUnsent(at) || list.size() === 0)",
    "isProbeOfUnsent(at)",
  ),
  mistake(
    "a lease that has ended begins again",
    HOLD,
    "lease = null;\n      const next = {",
    "const next = lease ?? {",
  ),
  mistake(
    "a notifier keeps what it holds for longer than its lease",
    HOLD,
    "keptUntilMs = sentMs + HOLD_MS - HOLD_MARGIN_MS;",
    "keptUntilMs = sentMs + 2 * HOLD_MS;",
  ),
  {
    ...mistake(
      "a lease lasts no longer than a freeze that must not end it",
      "libs/delivery/bounds.ts",
      "HOLD_MS = 15_000",
      "HOLD_MS = 13_000",
    ),
    tests: ["test/simulation/delivery/leases.test.ts"],
  },
  mistake(
    "a destination that passes to another notifier is not released",
    HOLD,
    "holder === mine.leaseId && !entries.has(id) && !isMine(id)",
    "holder === mine.leaseId && entries.has(id) && !isMine(id)",
  ),
  mistake(
    "a destination whose holder does not know what is stored is not held anew",
    HOLD,
    "if (!isSame || entry.isOutdated) letGo(id, entry);",
    "if (!isSame) letGo(id, entry);",
  ),
  mistake("all holds of a lease have one token", HOLD, "const token = deps.newToken();", "const token = mine.leaseId;"),
  mistake(
    "a destination is held anew while its requests are in flight",
    HOLD,
    "if (entry.isEnded) entries.delete(id);",
    "entries.delete(id);",
  ),
  mistake(
    "the time of MongoDB is reckoned from when it was asked for",
    HOLD,
    "time = { now, atMs: clock.monotonicMs() };",
    "time = { now, atMs: sentMs };",
  ),
  mistake(
    "a bug is repeated as if a server were unavailable",
    "libs/async/failures.ts",
    'return error instanceof AppError && error.code !== "internal";',
    "return error instanceof Error;",
  ),
  mistake(
    "after a failure of MongoDB, what is known is taken for what is stored",
    RECORD,
    "        at.isOutdated = true;\n        logFailure(error);",
    "        logFailure(error);",
  ),
  mistake(
    "a delivery that did not wait as was known is not read again",
    RECORD,
    "((await untilDone(() => note(decision))) ?? false) && isStored",
    "(await untilDone(() => note(decision))) ?? false",
  ),
  mistake(
    "what concurrent requests decided of a destination is stored in any order",
    RECORD,
    "    await before;\n",
    "    void before;\n",
  ),
  mistake(
    "a request is sent although another process may hold the destination since it was chosen",
    SEND,
    "return held.isHeld() && !held.signal.aborted && !isResting",
    "return !isResting",
  ),
  mistake(
    "a failing destination is probed with several requests at a time",
    SEND,
    'at.health.state === "failing" && inFlight.size === 0 && untilMs',
    'at.health.state === "failing" && untilMs',
  ),
  mistake(
    "an event does not wait for the earlier ones of its member",
    WAITING,
    "else order.pass(one);",
    "else if (one.again) order.pass(one);",
  ),
  mistake(
    "a delivery whose event was erased never ends",
    SEND,
    "const results = [...absent.erased];",
    "list.remove(absent.erased.map(({ n }) => n));\n    const results: typeof absent.erased = [];",
  ),
  mistake(
    "a delivery whose event was deleted by age never ends",
    ABSENT,
    "missed.length > 0 && !(await runs.miss(",
    "missed.length < 0 && !(await runs.miss(",
  ),
  mistake(
    "events that were taken are sent only once the destination is held anew",
    TAKE,
    "list.add(wanted.map((event) => ({ n: event.n, member: memberOf(event), ...fresh })));",
    "void fresh;",
  ),
  {
    ...mistake(
      "the result of an earlier attempt ends what a person has sent again since",
      STORES,
      " && one.tried === (tried ?? one.tried))",
      " && (tried ?? 0) >= 0)",
    ),
    // What the stores guarantee, which MongoDB's do, too.
    tests: ["test/simulation/delivery/fake-stores.test.ts"],
  },
  {
    name: "a full sync applies the rank that a member had when the page was read",
    tests: TESTS,
    patches: [
      { file: FULL, from: "{ platformId, has }: Person,", to: "{ platformId, has, rank: earlier }: Person," },
      {
        file: FULL,
        from: "applyRank(lane, { platformId, rank, has });",
        to: "applyRank(lane, { platformId, rank: earlier, has });",
      },
    ],
  },
  mistake(
    "whom an interrupted full sync has listed stays listed",
    FULL,
    "await syncs.forgetListed(destinationId);",
    "",
  ),
  mistake(
    "a destination is asked on after a request has disabled it",
    FOLLOW,
    'if (due.length > 0 && lane.health().state !== "active") return 0;',
    'if (due.length > 0 && lane.health().state === "failing") return 0;',
  ),
  mistake(
    "a member whose roles could not be compared is never tried again",
    FOLLOW,
    "reason: compared.reason, retryInMs: inMs }",
    "reason: compared.reason, retryInMs: null }",
  ),
  mistake(
    "a member's roles that a full sync could not decide are never compared",
    FULL,
    "await syncs.mark(held.destination, [platformId], { dueInMs: 0, waitMsMax: 0 });",
    "",
  ),
  mistake(
    "the members of events are not compared",
    MARK,
    "if (members.length > 0) await syncs.mark(",
    "if (members.length < 0) await syncs.mark(",
  ),
  mistake(
    "ten members in a row who may not be changed do not make a destination failing",
    "libs/delivery/role-outcomes.ts",
    'if (denied.size >= DENIED_MAX) return { kind: "stopped", fault: reply.reason };',
    "",
  ),
  mistake(
    "who takes a destination over does not rest as the service has asked",
    LANES,
    "Math.max(everyMs, restMsAtStart)",
    "everyMs",
  ),
  mistake(
    "roles that do not belong to the rank any more stay",
    "libs/domain/role-change.ts",
    "unassign: mappedRoles(mapping, has).filter((roleId) => !wants.includes(roleId)),",
    "unassign: [],",
  ),
];
