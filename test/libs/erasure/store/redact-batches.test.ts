// Whatever the order of their writes: neither the run that ends a batch nor the erasure of a member leaves the member's
// name in it.
import { expect, test } from "vitest";
import { ERASED } from "#domain/erased.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import { makeRedactBatches } from "#erasure/store/redact-batches.ts";
import { acceptedBatch } from "../../../support/accepted.ts";
import { testActor } from "../../../support/actor.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

const awards = [
  { platformId: "gone", amount: 5n },
  { platformId: "stays", amount: 5n },
  { platformId: "gone", code: "invalid_request", detail: "" },
] as const;
/** What a run stores that read the awards before the erasure. */
const outcomes = [
  { platformId: "gone", xp: 5n, rank: "Guest" },
  { platformId: "stays", xp: 5n, rank: "Guest" },
  awards[2],
];

test.each([
  ["the erasure first", ["redact", "finish"]],
  ["the run first", ["finish", "redact"]],
])("an erasure removes the member from a running batch, with %s", async (_, order) => {
  const clanId = order.join("-");
  const batchId = `bat_${clanId}`;
  await world.batches.insert(acceptedBatch({ batchId, clanId, awards }));
  await world.batches.start(batchId, new Date());
  const erasure = { erasureId: `era_${clanId}`, clanId, platformId: "gone" };
  await makeErasureStore(world.database).begin(erasure, testActor);
  for (const step of order) {
    if (step === "finish") expect(await world.batches.finish(batchId, outcomes)).toBe(true);
    else expect(await makeRedactBatches(world.database).redact(erasure)).toBe(1);
  }
  const stored = await world.batches.read(batchId);
  expect(stored).toMatchObject({
    state: "done",
    outcomes: [{ platformId: ERASED }, { platformId: "stays" }, { platformId: ERASED }],
  });
  expect(
    JSON.stringify(stored, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
  ).not.toContain("gone");
});
