// When a destination of roles fails, and what shows that it works again: over every history of responses.
import fc from "fast-check";
import { expect, test } from "vitest";
import { decideHealth, type RoleHealth } from "#usecases/destinations/role-health.ts";
import type { RoleFault } from "#usecases/destinations/role-ports.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const HOUR_MS = 3_600_000;
const schedule = { probeMs: [10_000, 30_000, 60_000], disableAfterMs: 120 * HOUR_MS };
const active: RoleHealth = {
  state: "active",
  since: NOW,
  failures: 0,
  probes: 0,
  nextProbeAt: null,
  denied: new Set(),
  isDenied: false,
};

type Reply = { kind: "done" } | RoleFault;
type Step = { reply: Reply; changes: string | null };
const replies: Reply[] = [
  { kind: "done" },
  { kind: "not_there" },
  { kind: "rejected", reason: "No." },
  { kind: "rest", forMs: null },
  { kind: "failed", reason: "Status 503." },
  { kind: "denied", isAboutPerson: false, reason: "Forbidden." },
];
const step: fc.Arbitrary<Step> = fc.record({
  reply: fc.constantFrom(...replies),
  changes: fc.option(fc.integer({ max: 40, min: 1 }).map(String)),
});

function run(steps: readonly Step[], from: RoleHealth = active, now = NOW): RoleHealth {
  return steps.reduce((health, one) => decideHealth(health, one, { schedule, now }).health, from);
}

const denied = (changes: string): Step => ({ reply: { kind: "denied", isAboutPerson: false, reason: "No." }, changes });

test("it fails only after 5 failures, or 10 members who are denied, without a success in between", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [failures, members] = [0, new Set<string>()];
      const shouldFail = steps.some(({ reply, changes }) => {
        if (reply.kind === "rest") return false;
        failures = reply.kind === "failed" ? failures + 1 : 0;
        if (reply.kind === "denied") members.add(changes ?? "");
        else if (reply.kind !== "failed" && changes !== null) members = new Set();
        return failures >= 5 || members.size >= 10;
      });
      let hasFailed = false;
      let health = active;
      for (const one of steps) {
        ({ health } = decideHealth(health, one, { schedule, now: NOW }));
        hasFailed ||= health.state === "failing";
      }
      expect(hasFailed).toBe(shouldFail);
    }),
  );
});

test("10 different members in a row fail it; reads do not end the row, a change does, and the same member counts once", () => {
  const ids = Array.from({ length: 9 }, (_, index) => `${index}`);
  const read: Step = { reply: { kind: "done" }, changes: null };
  const nine = ids.flatMap((id) => [denied(id), read, denied(id)]);
  expect(run(nine).state).toBe("active");
  expect(run([...nine, denied("9")])).toMatchObject({ state: "failing", isDenied: true });
  expect(run([...nine, { reply: { kind: "done" }, changes: "x" }, denied("9")]).state).toBe("active");
  const failing = run([...nine, denied("9")]);
  // A credential that may not change anybody can still read.
  expect(run([read, read], failing).state).toBe("failing");
  expect(run([{ reply: { kind: "done" }, changes: "3" }], failing)).toMatchObject({ state: "active", isDenied: false });
});

test("a rejected credential fails it immediately; probes come later and later, and 120 hours disable it", () => {
  const stopped: Step = { reply: { kind: "stopped", reason: "Rejected." }, changes: null };
  let health = run([stopped]);
  const waits = [health, (health = run([stopped], health)), (health = run([stopped], health)), run([stopped], health)];
  expect(waits.map(({ nextProbeAt }) => (nextProbeAt?.getTime() ?? 0) - NOW.getTime())).toStrictEqual([
    10_000, 30_000, 60_000, 60_000,
  ]);
  const after = (hours: number) => ({ schedule, now: new Date(NOW.getTime() + hours * HOUR_MS) });
  expect(decideHealth(health, stopped, after(119)).disable).toBeNull();
  expect(decideHealth(health, stopped, after(120)).disable).toBe(
    "It has failed for 120 h, most recently with: Rejected. Then resume it.",
  );
  expect(run([{ reply: { kind: "done" }, changes: null }], health).state).toBe("active");
  expect(run([stopped], { ...active, state: "paused" }).state).toBe("paused");
});
