import { describe, expect, test } from "vitest";
import { clanWithBoard } from "../../support/boards.ts";
import { expectProblem, expectResponse } from "../../support/responses.ts";
import { useApi } from "../../support/use-api.ts";

describe("GET …/boards", async () => {
  const { world, port, clan: none } = await useApi();

  test("lists boards with their running periods", async () => {
    const clan = await clanWithBoard(world, port, "--every", "week", "--name", "Weekly");
    const { boards } = expectResponse("list-boards", await clan.get("/boards"));
    expect(boards).toMatchObject([{ boardId: "board", name: "Weekly", every: "week", current: { status: "open" } }]);
    expect(new Date(boards[0].current.startsAt).getUTCDay()).toBe(1);
  });

  test("is empty for a clan without boards", async () => {
    expect(expectResponse("list-boards", await none.get("/boards"))).toStrictEqual({ boards: [] });
  });

  test("has no current period outside of seasons", async () => {
    const season = ["--season", "--from", "2040-01-01", "--to", "2040-02-01"];
    const clan = await clanWithBoard(world, port, ...season);
    const { boards } = expectResponse("list-boards", await clan.get("/boards"));
    expect(boards).toMatchObject([{ every: "season", on: null, at: null, timeZone: null, current: null }]);
  });

  test("rejects a query", async () => {
    expectProblem(await none.get("/boards?limit=1"), 400, "invalid_request");
  });
});
