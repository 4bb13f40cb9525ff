// Which award an id means: found without the ledger, in steps of a bounded cost.
import { expect, test } from "vitest";
import { SELECTION_START, type Selection } from "#domain/reversal.ts";
import { AWARD_IDS_PER_STEP } from "#usecases/reversals/bounds.ts";
import { makeReadStep } from "#usecases/reversals/read-step.ts";

const NEWEST = 2 * AWARD_IDS_PER_STEP + 10;

/** Reads the steps of a member with NEWEST entries, whose ids are their numbers. What each of them costs and finds. */
async function stepsTo(awardId: string): Promise<{ computed: number; found: number[] }[]> {
  let computed = 0;
  const readStep = makeReadStep({
    selection: {
      async read(selected) {
        const { platformId, seq } = selected.kind === "award" ? selected : { platformId: "", seq: 0 };
        return { awards: [{ platformId, seq, key: `=${seq}`, applied: 5n }], next: null };
      },
    },
    awardIdOf({ seq }) {
      computed += 1;
      return `${seq}`;
    },
  });
  const selection: Selection = { kind: "award", clanId: "c", platformId: "p", seq: NEWEST, awardId };
  const steps = [];
  for (let position: number | null = SELECTION_START; position !== null;) {
    computed = 0;
    const step: Awaited<ReturnType<typeof readStep>> = await readStep(selection, position);
    steps.push({ computed, found: step.awards.map(({ seq }) => seq) });
    position = step.next;
  }
  return steps;
}

test("a reversal finds an award by its ID among any number of entries, in steps of bounded size", async () => {
  const whole = { computed: AWARD_IDS_PER_STEP, found: [] };
  expect(await stepsTo(`${NEWEST}`)).toStrictEqual([{ computed: 1, found: [NEWEST] }]);
  expect(await stepsTo(`${NEWEST - AWARD_IDS_PER_STEP}`)).toStrictEqual([
    whole,
    { computed: 1, found: [NEWEST - AWARD_IDS_PER_STEP] },
  ]);
  expect(await stepsTo("1")).toStrictEqual([whole, whole, { computed: 10, found: [1] }]);
  expect(await stepsTo("another member's")).toStrictEqual([whole, whole, { computed: 10, found: [] }]);
});
