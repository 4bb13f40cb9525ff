// The Roblox client reads gains of a real API, and waits while they are counted.
import { expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { network } from "./support/game-server.ts";
import { startGame } from "./support/game.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });

test("reads who gained how much in a span, and waits while it is counted", async () => {
  const clan = await makeClanCaller(world, port);
  await clan.awards([1, 2, 3].map((index) => ({ platformId: String(index), amount: 100 - index })));
  await clan.post("/names", { names: [{ platformId: "3", name: "Mira" }] });
  const gains = world.database.db().collection<{ _id: string }>("gains");
  const [claim, at] = [{ _id: `claim/${clan.clanId}` }, new Date(Date.now() + 3_600_000)];
  await gains.insertOne({ ...claim, clanId: clan.clanId, holder: "other", claimedUntil: at, expiresAt: at } as never);
  const [from, to] = [new Date(Date.now() - 86_400_000).toISOString(), at.toISOString()];
  const span = `From = "${from}", To = "${to}"`;
  const game = await startGame({
    respond: network,
    secret: clan.key,
    baseUrl: `http://127.0.0.1:${port}`,
    clanId: clan.clanId,
  });
  await game.run(`
    heard = {}
    task.spawn(function()
      table.insert(heard, (clan:GetGainsAsync({ ${span}, Limit = 2 })))
    end)`);
  await until(async () => (await clan.get(`/gains?from=${from}&to=${to}`)).status === 202);
  await gains.updateOne(claim, { $set: { claimedUntil: new Date(0) } });
  await until(async () => {
    await game.advance(2);
    return (await game.run("return #heard")) === 1;
  });
  const [page, least, wrong] = await game.run(`
    return {
      heard[1], (clan:GetGainsAsync({ ${span}, Order = "least", Limit = 1, Name = true })),
      (pcall(clan.GetGainsAsync, clan, { From = 5, To = "${to}" })),
    }`);
  expect(page).toMatchObject({
    totals: { members: 3, awards: 3, xp: "294" },
    members: [
      { platformId: "1", xp: "99", awards: 1, position: 1 },
      { platformId: "2", xp: "98", position: 2 },
    ],
  });
  expect(least.members).toMatchObject([{ platformId: "3", position: 3, name: "Mira" }]);
  expect(wrong).toBe(false);
});
