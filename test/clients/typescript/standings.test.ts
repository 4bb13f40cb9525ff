import { expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { midWeek } from "../../support/boards.ts";
import { cliOn } from "../../support/cli.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();

test("the TypeScript client returns boards, and the standings of their periods", async () => {
  const own = await makeClanCaller(world, port);
  const clan = new ClanXp({ baseUrl: `http://127.0.0.1:${port}`, clanId: own.clanId, apiKey: own.key });
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada" });
  await cli.json("board", "set", own.clanId, "weekly", ...midWeek());
  expect(await clan.boards()).toMatchObject([{ boardId: "weekly", every: "week", current: { status: "open" } }]);
  await clan.awards(["a", "b", "c"].map((platformId, index) => ({ platformId, amount: 90 - index })));
  await until(async () => (await clan.standings("weekly")).members.length === 3);
  const { period, members } = await clan.standings("weekly", { limit: 2 });
  expect(members).toMatchObject([
    { platformId: "a", xp: "90", position: 1 },
    { platformId: "b", xp: "89", position: 2 },
  ]);
  const named = await clan.standings("weekly", { period: period.periodId, platformIds: ["c", "x"] });
  expect(named).toMatchObject({ members: [{ platformId: "c", position: 3 }], missing: ["x"] });
  const around = await clan.standings("weekly", { around: "c", limit: 1 });
  expect(around?.members).toMatchObject([{ platformId: "c" }]);
  await clan.setNames([{ platformId: "b", name: "Builderman" }]);
  const { members: two } = await clan.standings("weekly", { limit: 2, name: true });
  expect(two.map(({ name }) => name)).toStrictEqual([null, "Builderman"]);
  expect(await clan.standings("weekly", { around: "nobody" })).toBeNull();
  await expect(clan.standings("monthly")).rejects.toMatchObject({ code: "board_not_found" });
  await expect(clan.standings("weekly", { period: "previous" })).rejects.toMatchObject({ code: "period_not_found" });
  await expect(clan.standings("a/b")).rejects.toMatchObject({ code: "invalid_argument" });
});
