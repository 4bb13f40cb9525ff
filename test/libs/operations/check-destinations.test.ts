import { expect, test } from "vitest";
import { HOLD_MS } from "#delivery/bounds.ts";
import { checkDestinations } from "#operations/check-destinations.ts";
import type { DestinationFacts } from "#operations/ports.ts";

const sound: DestinationFacts = {
  sealed: [{ destinationId: "dst_1", sealed: "own dst_1" }],
  notifierSilentMs: 1_500,
  oldestEventMs: 4_000,
};
/** A key that decrypts what it encrypted, for the same destination. */
const open = (sealed: string, context: string) => (sealed === `own ${context}` ? "{}" : null);

const complaintsOf = (changes: Partial<DestinationFacts>, key: typeof open | null = open) =>
  checkDestinations({ ...sound, ...changes }, key).filter(({ status }) => status !== "ok");

test("destinations whose events are sent give no cause for complaint", () => {
  expect(complaintsOf({})).toEqual([]);
  expect(complaintsOf({ oldestEventMs: null })).toEqual([]);
});

test("without destinations, neither a key nor a notifier is missing", () => {
  expect(complaintsOf({ sealed: [], notifierSilentMs: null, oldestEventMs: null }, null)).toEqual([]);
});

test("destinations are counted whose secrets the key does not decrypt", () => {
  const sealed = ["own dst_1", "own dst_2", "other dst_3"].map((text, index) => ({
    destinationId: `dst_${index + 1}`,
    sealed: text,
  }));
  const [complaint, ...more] = complaintsOf({ sealed });
  expect(complaint).toMatchObject({ name: "secrets key", status: "fail" });
  expect(complaint?.detail).toContain("1 of 3 destinations");
  expect(complaint?.fix).toContain("Add the former key to SECRETS_KEY");
  expect(more).toEqual([]);
  expect(complaintsOf({ sealed }, null)).toMatchObject([{ detail: expect.stringContaining("3 destinations") }]);
});

test.each([null, HOLD_MS])("a notifier whose last sign was %s ms ago is not running", (notifierSilentMs) => {
  expect(complaintsOf({ notifierSilentMs })).toMatchObject([
    { name: "notifier", status: "fail", fix: expect.stringContaining("npm run notifier") },
  ]);
});

test("an event that an active destination has not received for 10 minutes is a warning", () => {
  expect(complaintsOf({ oldestEventMs: 600_000 })).toEqual([]);
  expect(complaintsOf({ oldestEventMs: 600_001 })).toMatchObject([
    { name: "deliveries", status: "warn", fix: expect.stringContaining("clanxp destination list") },
  ]);
});
