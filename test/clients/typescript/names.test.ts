import { expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

test("the TypeScript client sets names, returns them with members, and rejects other values before it sends anything", async () => {
  const own = await makeClanCaller(world, port);
  const namer = new ClanXp({ baseUrl: `http://127.0.0.1:${port}`, clanId: own.clanId, apiKey: own.key });
  await namer.award("1", 5);
  expect(await namer.setNames([{ platformId: "1", name: "Builderman" }])).toStrictEqual({ stored: 1 });
  expect((await own.get("/members/1?include=name")).body.name).toBe("Builderman");
  await namer.setNames([{ platformId: "1", name: null }]);
  expect((await own.get("/members/1?include=name")).body.name).toBeNull();
  const many = Array.from({ length: 230 }, (_, index) => ({ platformId: String(index), name: `Player ${index}` }));
  expect(await namer.setNames(many)).toStrictEqual({ stored: 230 });
  await namer.awards(["0", "229"].map((platformId) => ({ platformId, amount: 1 })));
  expect(await namer.member("229", { name: true, position: true })).toMatchObject({
    name: "Player 229",
    position: { value: 2, of: 3 },
  });
  expect((await namer.membersById(["0", "nobody"], { name: true })).members).toMatchObject([{ name: "Player 0" }]);
  expect((await namer.around("229", { name: true }))?.members.map(({ name }) => name)).toContain("Player 229");
  for await (const { platformId, name } of namer.members({ name: true })) expect(name).toBe(`Player ${platformId}`);
  expect(await namer.member("229")).not.toHaveProperty("name");
  const twice = [many[0], ...many];
  for (const bad of [[], [{ platformId: "a b", name: "n" }], [{ platformId: "1", name: 5 }], {}, twice])
    await expect(namer.setNames(bad as never)).rejects.toMatchObject({ code: "invalid_argument" });
});
