// Erasures that a worker resumes: what becomes of each is logged, and nobody is named.
import { expect, test } from "vitest";
import { makeResumeErasures } from "#erasure/resume-erasures.ts";
import { until } from "../../support/until.ts";
import { silentLog } from "../../support/silent-log.ts";

test("a worker logs only a failed erasure as a warning, with its causes but without its member, and finishes the others", async () => {
  const silent = ["4711", "0815", "who"].map((platformId) => ({
    erasureId: `erasure of ${platformId.length}`,
    clanId: "c",
    platformId,
  }));
  const lines: string[] = [];
  const finished: string[] = [];
  const erasing = makeResumeErasures({
    erasures: { claimSilent: async () => silent.shift() ?? null },
    async eraseMember({ platformId }) {
      if (platformId === "4711")
        throw new Error("not deleted", { cause: new TypeError(`no document c/${platformId}`) });
      finished.push(platformId);
      return {};
    },
    log: { ...silentLog, warn: (facts, event) => void lines.push(JSON.stringify({ ...facts, event })) },
  });
  await erasing.look();
  await erasing.ended();
  expect(finished).toStrictEqual(["0815", "who"]);
  const [failed, ...more] = lines;
  expect(more).toStrictEqual([]);
  expect(failed).toContain("erasure.interrupted");
  expect(failed).toContain("not deleted");
  expect(failed).toContain("TypeError: no document c/(erased)");
  expect(lines.join("\n")).not.toContain("4711");
});

test("an erasure that takes long keeps no other from its turn, and 20 run at the same time", async () => {
  const waiting = Array.from({ length: 25 }, (_, index) => `${index}`);
  const ends = new Map<string, () => void>();
  const erasing = makeResumeErasures({
    erasures: {
      async claimSilent() {
        const platformId = waiting.shift();
        return platformId === undefined ? null : { erasureId: platformId, clanId: "c", platformId };
      },
    },
    async eraseMember({ platformId }) {
      await new Promise<void>((resolve) => ends.set(platformId, resolve));
      return {};
    },
    log: silentLog,
  });
  await erasing.look();
  await erasing.look();
  expect(ends.size).toBe(20);
  // All but the first.
  for (let index = 1; index < 10; index += 1) ends.get(`${index}`)?.();
  await until(async () => (await erasing.look(), ends.size) === 25);
  for (const end of ends.values()) end();
  await erasing.ended();
});
