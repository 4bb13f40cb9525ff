import { expect, test } from "vitest";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port, clan } = await useApi();

test("GET …/reversals/{reversalId} returns the same 404 for unknown reversals and those of other clans", async () => {
  const other = await makeClanCaller(world, port, {}, ["reverse"]);
  const by = { matchId: "m", from: "2026-11-22T12:00:00+01:00" };
  const { reversalId } = expectResponse("submit-reversal", await other.post("/reversals", { by, reason: "why" }), 202);
  const [unknown, foreign] = [await clan.get("/reversals/rev_unknown"), await clan.get(`/reversals/${reversalId}`)];
  expect(expectProblem(foreign, 404, "reversal_not_found").detail).toBe(
    expectProblem(unknown, 404, "reversal_not_found").detail,
  );
  expect(expectResponse("read-reversal", await other.get(`/reversals/${reversalId}`))).toStrictEqual({
    reversalId,
    status: "queued",
    by,
    reason: "why",
    selected: 0,
    reversed: 0,
    skipped: 0,
    createdAt: expect.any(String),
    finishedAt: null,
  });
});
