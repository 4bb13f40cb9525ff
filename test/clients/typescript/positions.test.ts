import { expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

test("the TypeScript client returns positions, members by id, and the leaderboard around a member", async () => {
  const own = await makeClanCaller(world, port);
  const board = new ClanXp({ baseUrl: `http://127.0.0.1:${port}`, clanId: own.clanId, apiKey: own.key });
  const ids = Array.from({ length: 130 }, (_, index) => `p${100 + index}`);
  for (const group of [ids.slice(0, 100), ids.slice(100)])
    await board.awards(group.map((platformId) => ({ platformId, amount: 1_000 - Number(platformId.slice(1)) })));
  expect(await board.member("p100", { position: true })).toMatchObject({
    xp: "900",
    position: { value: 1, of: 130, approximate: false },
    lastAwardAt: expect.stringMatching(/Z$/),
  });
  expect(await board.member("p101")).not.toHaveProperty("position");
  const found = await board.membersById(["x", ...ids.toReversed(), "y"], { position: true });
  expect(found.members.map(({ platformId }) => platformId)).toStrictEqual(ids.toReversed());
  expect(found.members.map(({ position }) => position?.value)).toStrictEqual(ids.map((_, index) => 130 - index));
  expect(found.missing).toStrictEqual(["x", "y"]);
  expect(await board.membersById([])).toStrictEqual({ members: [], missing: [] });
  const around = await board.around("p150", { limit: 3 });
  expect(around?.members.map(({ platformId, position }) => [platformId, position?.value])).toStrictEqual([
    ["p149", 50],
    ["p150", 51],
    ["p151", 52],
  ]);
  expect((await board.around("p150"))?.members).toHaveLength(11);
  expect(await board.around("nobody")).toBeNull();
  for (const wrong of [
    () => board.membersById(["a", "a"]),
    () => board.membersById(["a b"]),
    () => board.around("a", { limit: 0 }),
    () => board.member("a", { position: 1 as unknown as boolean }),
    () => board.around("a", { position: true } as object),
  ])
    await expect(wrong()).rejects.toMatchObject({ code: "invalid_argument" });
});
