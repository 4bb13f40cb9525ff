// How many previews one process counts at the same time: each may read for seconds, and a key can request any number of
// them.
import { expect, test } from "vitest";
import { systemClock as clock } from "#process/clock.ts";
import { PREVIEWS_AT_ONCE, PREVIEWS_PER_CLAN_AT_ONCE } from "#reversals/bounds.ts";
import { makePreviewReversal } from "#reversals/preview-reversal.ts";

const NOTHING = { awards: 0, members: 0, amount: 0n };

test("an API process rejects a preview as busy beyond its bound or the clan's, until another preview ends", async () => {
  const held: PromiseWithResolvers<void>[] = [];
  const preview = makePreviewReversal({
    async selectAwards(clanId, by) {
      const gate = Promise.withResolvers<void>();
      held.push(gate);
      await gate.promise;
      return { kind: "batch", clanId, batchId: "batchId" in by ? by.batchId : "" };
    },
    selection: { read: async () => ({ awards: [], next: null }) },
    store: { readEntries: async () => new Map() },
    clock,
    awardIdOf: ({ seq }) => `${seq}`,
  });
  const request = (clanId: string) => preview(clanId, { batchId: "b" });

  const clans = Array.from({ length: PREVIEWS_AT_ONCE }, (_, at) => `c${Math.floor(at / PREVIEWS_PER_CLAN_AT_ONCE)}`);
  const first = request("c0");
  const second = request("c0");
  expect(PREVIEWS_PER_CLAN_AT_ONCE).toBe(2);
  await expect(request("c0")).rejects.toMatchObject({ code: "busy" });
  const others = clans.slice(2).map(request);
  await expect(request("another")).rejects.toMatchObject({ code: "busy" });
  expect(held).toHaveLength(PREVIEWS_AT_ONCE);

  held[0]?.resolve();
  expect(await first).toStrictEqual(NOTHING);
  const next = request("c0");
  held[1]?.reject(new Error("no database"));
  await expect(second).rejects.toThrow("no database");
  const last = request("c0");
  for (const gate of held) gate.resolve();
  const rest = [...others, next, last];
  expect(await Promise.all(rest)).toStrictEqual(rest.map(() => NOTHING));
});
