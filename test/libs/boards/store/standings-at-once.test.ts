// Standings that several processes store for the first time at the same moment.
import { expect, test } from "vitest";
import { makeStandingStore } from "#boards/store/standing-store.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();

test("of standings that are stored for the first time at once, the one with the most entries stays", async () => {
  const { write, read } = makeStandingStore(world.database);
  const of = (platformId: string, seq: number) => {
    const standing = { xp: BigInt(seq), awards: 1, reachedAt: new Date(), seq, removed: false };
    return { rows: "rows", member: { clanId: "c", platformId }, standing };
  };
  const kept: number[] = [];
  // MongoDB has to find no document, and then one, between the two statements: it is so for some in a thousand.
  for (let round = 0; round < 150; round += 1) {
    const ids = Array.from({ length: 50 }, (_, index) => `p${round}-${index}`);
    await Promise.all([
      write(
        ids.map((id) => of(id, 1)),
        { isWhole: false },
      ),
      write(
        ids.map((id) => of(id, 2)),
        { isWhole: true },
      ),
    ]);
    const stored = await read(ids.map((platformId) => ({ rows: "rows", platformId })));
    kept.push(...ids.flatMap((id) => stored.get(id)?.get("rows")?.seq ?? []));
  }
  expect(kept).toHaveLength(150 * 50);
  expect(kept.filter((seq) => seq !== 2)).toStrictEqual([]);
});
