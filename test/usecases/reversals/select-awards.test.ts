// Which award an id means: found without the ledger, and with a bound on what one request may cost.
import { expect, test } from "vitest";
import { systemClock } from "#runtime/process/clock.ts";
import { AWARD_IDS_MAX } from "#usecases/bounds.ts";
import { makeSelectAwards } from "#usecases/reversals/select-awards.ts";

const NEWEST = AWARD_IDS_MAX + 10;
const by = (seq: number) => ({ platformId: "p", awardId: `${seq}` });

/** A member with NEWEST entries, whose ids are their numbers. */
function selectorOf(idsMax?: number) {
  let computed = 0;
  const selection = { newestAt: async () => null, newestSeq: async () => NEWEST };
  const awardIdOf = ({ seq }: { seq: number }): string => {
    computed += 1;
    return `${seq}`;
  };
  const selectAwards = makeSelectAwards({
    selection,
    clock: systemClock,
    awardIdOf,
    ...(idsMax === undefined ? {} : { idsMax }),
  });
  return { selectAwards, computed: () => computed };
}

test("a request finds an award among the newest entries, and is rejected for an older one at a bounded cost", async () => {
  const { selectAwards, computed } = selectorOf();
  expect(await selectAwards("c", by(NEWEST - AWARD_IDS_MAX + 1))).toMatchObject({ kind: "award", seq: 11 });
  expect(computed()).toBe(AWARD_IDS_MAX);
  await expect(selectAwards("c", by(10))).rejects.toMatchObject({
    code: "invalid_request",
    faults: [{ pointer: "/by/awardId" }],
  });
  expect(computed()).toBe(2 * AWARD_IDS_MAX);
});

test("a command finds every award, and none where there is none", async () => {
  const { selectAwards } = selectorOf(Infinity);
  expect(await selectAwards("c", by(1))).toMatchObject({ seq: 1 });
  expect(await selectAwards("c", { platformId: "p", awardId: "another member's" })).toMatchObject({ seq: 0 });
});
