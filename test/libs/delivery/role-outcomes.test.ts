// What responses to changes of roles show about the credential: over every history of responses.
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRoleOutcomes } from "#delivery/role-outcomes.ts";
import type { RoleFault, RoleReply } from "#delivery/role-ports.ts";

type Step = { reply: RoleReply<null>; changes: string | null };
type Fault = { kind: "done"; value: null } | RoleFault;

const step = (fault: Fault, changes: string | null): Step => ({ reply: { ...fault, pauseMs: 0 }, changes });
const denied = (changes: string, isAboutPerson = false): Step =>
  step({ kind: "denied", isAboutPerson, reason: "No." }, changes);
const changed = (changes: string): Step => step({ kind: "done", value: null }, changes);
const read = step({ kind: "done", value: null }, null);

function kindsOf(steps: readonly Step[]): (string | undefined)[] {
  const outcomes = makeRoleOutcomes();
  return steps.map(({ reply, changes }) => outcomes.of(reply, changes)?.kind);
}
const members = (from: number, to: number): Step[] =>
  Array.from({ length: to - from + 1 }, (_, index) => denied(`${from + index}`));

test("only the tenth different member in a row says that the credential is at fault", () => {
  const steps = fc.oneof(
    fc.integer({ min: 1, max: 14 }).map((n) => denied(`${n}`)),
    fc.integer({ min: 1, max: 14 }).map((n) => denied(`${n}`, true)),
    fc.constant(read),
    fc.constant(step({ kind: "rejected", reason: "No." }, "20")),
    fc.constant(step({ kind: "rest", forMs: null }, "20")),
  );
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), (all) => {
      const row = new Set<string>();
      const expected = all.map(({ reply, changes }) => {
        if (reply.kind === "rest") return undefined;
        const counts = reply.kind === "denied" && !reply.isAboutPerson && changes !== null;
        if (counts) row.add(changes);
        if (row.size < 10) return "works";
        return counts ? "stopped" : changes === null ? undefined : "refused";
      });
      expect(kindsOf(all)).toStrictEqual(expected);
    }),
  );
});

test("a change ends the row, and shows of those in it that it was about them", () => {
  expect(kindsOf([...members(1, 9), changed("x"), denied("10")]).at(-1)).toBe("works");
  const outage = [...members(1, 12), read, changed("x")];
  expect(kindsOf(outage).slice(-5)).toStrictEqual(["stopped", "stopped", "stopped", undefined, "works"]);
  expect(kindsOf([...outage, ...members(1, 12), ...members(13, 21)]).slice(-21)).toStrictEqual(
    Array.from({ length: 21 }, () => "works"),
  );
  expect(kindsOf([...outage, ...members(13, 22)]).at(-1)).toBe("stopped");
  // Who can be changed again counts again.
  expect(kindsOf([...outage, changed("1"), denied("1"), ...members(13, 21)]).at(-1)).toBe("stopped");
});

test("an outage and a rejected credential say so", () => {
  const outage = step({ kind: "failed", reason: "Status 503." }, "1");
  expect(kindsOf([outage, step({ kind: "stopped", reason: "Key." }, null), read])).toStrictEqual([
    "failed",
    "stopped",
    "works",
  ]);
});
