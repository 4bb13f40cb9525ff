// How a worker carries Roblox's erasure requests on while a server is unavailable.
import { expect, test } from "vitest";
import { AppError } from "#kernel/app-error.ts";
import { REQUESTS_PER_STEP } from "#hooks/bounds.ts";
import { makeSettleRequests } from "#hooks/settle-requests.ts";
import { silentLog } from "../../support/silent-log.ts";

test("requests that wait for a person are logged also if reading the next ones fails", async () => {
  const held = Array.from({ length: REQUESTS_PER_STEP }, (_, index) => ({
    requestId: `r${index}`,
    hookId: "hok_1",
    clanIds: ["c"],
    platformId: `${index}`,
    isReleased: false,
  }));
  const pages = [held];
  const lines: unknown[] = [];
  const settleRequests = makeSettleRequests({
    requests: {
      running: async () => [],
      async waiting() {
        const page = pages.shift();
        if (page === undefined) throw new AppError("unavailable", "MongoDB does not answer.");
        return page;
      },
      begin: async () => false,
      finish: async () => undefined,
      finishUnknown: async () => undefined,
      hold: async () => undefined,
    },
    takeTurn: async () => false,
    erasures: { begin: async () => undefined, read: async () => null },
    clans: { list: async () => [] },
    findStored: async (_clanIds, platformIds) => new Map(platformIds.map((platformId) => [platformId, ["c"]])),
    ids: { erasure: () => "e" },
    log: { ...silentLog, warn: (facts, event) => void lines.push({ ...facts, event }) },
  });
  await expect(settleRequests()).rejects.toMatchObject({ code: "unavailable" });
  expect(lines).toStrictEqual([{ hookId: "hok_1", held: REQUESTS_PER_STEP, event: "erasure.many" }]);
});
