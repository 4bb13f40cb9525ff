import { describe, expect, test } from "vitest";
import { clanWithBoard, midWeek } from "../../support/boards.ts";
import { patientCliOn } from "../../support/cli.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { useApi } from "../../support/use-api.ts";

const WEEK_MS = 7 * 86_400_000;

describe("GET …/periods", async () => {
  const { world, port } = await useApi();
  const from = new Date(Date.now() - 5 * WEEK_MS).toISOString();

  test("pages contain each period once, the newest first, from the next one that is coming", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek(), "--from", from);
    const all: any[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page: any = expectResponse("list-periods", await clan.get(`/boards/board/periods?limit=3${query}`));
      expect(page.periods.length).toBeLessThanOrEqual(3);
      all.push(...page.periods);
      cursor = page.nextCursor;
    }
    expect(all).toHaveLength(7);
    expect(all.slice(0, 2).map(({ status }) => status)).toStrictEqual(["upcoming", "open"]);
    for (const [index, period] of all.slice(1).entries()) expect(period.endsAt).toBe(all[index].startsAt);
  });

  test("bad queries, a cursor of another board, and boards that do not or cannot exist are rejected", async () => {
    const clan = await clanWithBoard(world, port, ...midWeek(), "--from", from);
    for (const query of ["limit=0", "cursor=x", "sort=xp", "limit=1&limit=2"])
      expectProblem(await clan.get(`/boards/board/periods?${query}`), 400, "invalid_request");
    const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    await cli.json("board", "set", clan.clanId, "other", ...midWeek(), "--from", from);
    const { nextCursor } = expectResponse("list-periods", await clan.get("/boards/board/periods?limit=3"));
    expectResponse("list-periods", await clan.get(`/boards/board/periods?cursor=${nextCursor}`));
    expectProblem(await clan.get(`/boards/other/periods?cursor=${nextCursor}`), 400, "invalid_request");
    expectProblem(await clan.get("/boards/none/periods"), 404, "board_not_found");
    expectProblem(await clan.get("/boards/None/periods"), 400, "invalid_request");
  });
});
