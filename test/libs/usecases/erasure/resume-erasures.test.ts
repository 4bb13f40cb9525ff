// Erasures that a worker resumes: what becomes of each is logged, and nobody is named.
import { expect, test } from "vitest";
import { makeResumeErasures } from "#usecases/erasure/resume-erasures.ts";
import { silentLog } from "../../../support/silent-log.ts";

test("a worker logs a failed erasure as a warning with its causes but without its member, and finishes the others", async () => {
  const silent = ["4711", "0815", "who"].map((platformId) => ({
    erasureId: `erasure of ${platformId.length}`,
    clanId: "c",
    platformId,
  }));
  const lines: string[] = [];
  const resumeErasures = makeResumeErasures({
    erasures: { claimSilent: async () => silent.shift() ?? null },
    async eraseMember({ platformId }) {
      if (platformId === "4711")
        throw new Error("not deleted", { cause: new TypeError(`no document c/${platformId}`) });
      return { entries: 0, batches: 0, reversals: 0 };
    },
    log: { ...silentLog, warn: (facts, event) => void lines.push(JSON.stringify({ ...facts, event })) },
  });
  expect(await resumeErasures()).toBe(2);
  const [failed, ...more] = lines.filter((line) => line.includes("erasure.interrupted"));
  expect(more).toStrictEqual([]);
  expect(failed).toContain("not deleted");
  expect(failed).toContain("TypeError: no document c/(erased)");
  expect(lines.join("\n")).not.toContain("4711");
});
