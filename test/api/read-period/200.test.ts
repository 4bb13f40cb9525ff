import { describe, expect, test } from "vitest";
import { clanWithBoard, midWeek } from "../../support/boards.ts";
import type { Reply } from "../../support/http.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { useApi } from "../../support/use-api.ts";

const WEEK_MS = 7 * 86_400_000;

describe("GET …/periods/{periodId}", async () => {
  const { world, port, clan: none } = await useApi();

  test("returns a period by its id, current, previous, and the next one", async () => {
    const from = new Date(Date.now() - 2 * WEEK_MS).toISOString();
    const clan = await clanWithBoard(world, port, ...midWeek(), "--from", from);
    const { periods } = expectResponse("list-periods", await clan.get("/boards/board/periods"));
    const get = async (path: string): Promise<Reply> => {
      for (;;) {
        const reply = await clan.get(`/boards/board/periods/${path}`);
        // The first counts may take longer than their reader waits, and continue.
        if (reply.status !== 503) return reply;
      }
    };
    const read = async (id: string) => expectResponse("read-period", await get(id));
    for (const { periodId, startsAt } of periods) expect(await read(periodId)).toMatchObject({ periodId, startsAt });
    expect((await read("current")).periodId).toBe(periods[1].periodId);
    expect((await read("previous")).periodId).toBe(periods[2].periodId);
    expect(expectResponse("list-standings", await get(`${periods[0].periodId}/members`))).toMatchObject({
      period: { status: "upcoming", members: 0 },
      members: [],
      nextCursor: null,
    });
  });

  test("a period that does not exist is 404", async () => {
    const clan = await clanWithBoard(world, port, "--season", "--from", "2040-01-01", "--to", "2040-02-01");
    for (const id of ["current", "previous", "20200101T000000Z", "nonsense"]) {
      expectProblem(await clan.get(`/boards/board/periods/${id}`), 404, "period_not_found");
      expectProblem(await clan.get(`/boards/board/periods/${id}/members`), 404, "period_not_found");
    }
    expectProblem(await none.get("/boards/none/periods/current"), 404, "board_not_found");
  });
});
