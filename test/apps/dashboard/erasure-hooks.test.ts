// Hooks for Roblox's erasure requests in the settings of a clan, over HTTP.
import { expect, test } from "vitest";
import { erasureOf, HOOK_KEY, sendSigned } from "../../support/erasure-hooks.ts";
import { until } from "../../support/until.ts";
import { useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();

test("an owner makes a hook of the clan once an API with HOOK_KEY has run; others do not, and the secret is shown once", async () => {
  const { clanId } = (await dashboard.world.makeClan()).clan;
  const owner = await dashboard.signedIn("ada", "owner", clanId);
  const viewer = await dashboard.signedIn("vic", "viewer", clanId);
  const path = `/api/clans/${clanId}/erasure-hooks`;
  const early = await owner.post(path, {});
  expect([early.status, early.body.detail]).toStrictEqual([409, expect.stringContaining("HOOK_KEY")]);
  for (const reply of [await viewer.post(path, {}), await viewer.get(path)]) expect(reply.status).toBe(403);

  const { port } = await dashboard.world.startApi({ config: { hookKey: HOOK_KEY } });
  await until(async () => (await owner.post(path, {})).status === 200);
  const made = (await owner.post(path, {})).body;
  expect(made).toStrictEqual({
    hookId: expect.stringMatching(/^hok_/),
    url: `https://your-clan-xp.example/v0/hooks/${made.hookId}`,
    secret: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
  });
  expect((await sendSigned(port, made, erasureOf(1))).status).toBe(202);
  const { hooks, held } = (await owner.get(path)).body;
  expect([hooks.at(-1), held]).toStrictEqual([
    { hookId: made.hookId, createdAt: expect.any(String), createdBy: "ada" },
    0,
  ]);
  const { records } = (await owner.get(`/api/clans/${clanId}/audit`)).body;
  expect(records[0]).toMatchObject({ action: "hook.add", actor: "ada", target: made.hookId });
});
