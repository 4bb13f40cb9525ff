// Which award an id means: found without the ledger, in steps of a bounded cost.
import { describe, expect, test } from "vitest";
import { SELECTION_START, type Position, type Selection } from "#domain/reversal.ts";
import { AWARD_IDS_PER_CLOCK_READ, AWARD_IDS_PER_STEP, AWARD_IDS_TURN_MS } from "#reversals/bounds.ts";
import { makeReadStep, type ReadStep } from "#reversals/read-step.ts";

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
    clock: { monotonicMs: () => 0 },
  });
  const selection: Selection = { kind: "award", clanId: "c", platformId: "p", seq: NEWEST, awardId };
  const steps = [];
  for (let position: Position | null = SELECTION_START; position !== null;) {
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

describe("a search for an award by its ID", () => {
  const NUMBERS = 2_000;
  const ID_MS = 0.01;
  const searchOf = (platformId: string): Selection => ({
    kind: "award",
    clanId: "c",
    platformId,
    seq: NUMBERS,
    awardId: "unknown",
  });

  /** A process in which each id takes ID_MS, and the members whose ids it computed, in this order. */
  function makeProcess(): { readStep: ReadStep; computed: string[] } {
    const computed: string[] = [];
    const readStep = makeReadStep({
      selection: { read: async () => ({ awards: [], next: null }) },
      awardIdOf({ platformId, seq }) {
        computed.push(platformId);
        return `${seq}`;
      },
      clock: { monotonicMs: () => computed.length * ID_MS },
    });
    return { readStep, computed };
  }

  test("lets the event loop turn after a millisecond", async () => {
    const { readStep, computed } = makeProcess();
    const search = readStep(searchOf("p"), SELECTION_START);
    const perTurn: number[] = [];
    for (let before = 0; computed.length < NUMBERS; before = computed.length) {
      await new Promise((resolve) => setImmediate(resolve));
      perTurn.push(computed.length - before);
    }
    expect(await search).toStrictEqual({ awards: [], next: null });
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(AWARD_IDS_TURN_MS / ID_MS + AWARD_IDS_PER_CLOCK_READ);
  });

  test("begins when the searches before it have ended, whatever their results", async () => {
    const { readStep, computed } = makeProcess();
    const members = ["first", "second", "third"];
    await Promise.all(members.map((platformId) => readStep(searchOf(platformId), SELECTION_START)));
    expect(computed).toStrictEqual(members.flatMap((platformId) => Array.from({ length: NUMBERS }, () => platformId)));
  });

  test("ends at its deadline, and the next step begins where it ended", async () => {
    const { readStep, computed } = makeProcess();
    const { next } = await readStep(searchOf("p"), SELECTION_START, { endMs: 10 });
    expect(next).toBe(NUMBERS - computed.length);
    expect(computed.length).toBeLessThan(NUMBERS);
    expect(await readStep(searchOf("p"), next ?? 0)).toStrictEqual({ awards: [], next: null });
    expect(computed).toHaveLength(NUMBERS);
  });
});
