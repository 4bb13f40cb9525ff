// Hooks for Roblox's erasure requests in the settings of a clan, over HTTP.
import { expect, test } from "vitest";
import { addHook, erasureOf, HOOK_KEY, hookCliOn, sendSigned } from "../../support/erasure-hooks.ts";
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
    { hookId: made.hookId, url: made.url, isShared: false, createdAt: expect.any(String), createdBy: "ada" },
    0,
  ]);
  const { records } = (await owner.get(`/api/clans/${clanId}/audit`)).body;
  expect(records[0]).toMatchObject({ action: "hook.add", actor: "ada", target: made.hookId });
});

test("an owner replaces the secret of a hook and removes it, but none of another clan, of several or of all", async () => {
  const { world } = dashboard;
  const [{ clanId }, { clanId: other }] = [(await world.makeClan()).clan, (await world.makeClan()).clan];
  const owner = await dashboard.signedIn("olga", "owner", clanId);
  const viewer = await dashboard.signedIn("vera", "viewer", clanId);
  const { port } = await world.startApi({ config: { hookKey: HOOK_KEY } });
  const cli = hookCliOn(world);
  const own = await addHook(cli, "--clan", clanId);
  const shared = await addHook(cli, "--clan", clanId, "--clan", other);
  const theirs = await addHook(cli, "--clan", other);
  const path = `/api/clans/${clanId}/erasure-hooks`;

  for (const hook of [shared, theirs, await addHook(cli, "--all")]) {
    expect((await owner.post(`${path}/${hook.hookId}/rotate`)).status).toBe(404);
    expect((await owner.send("DELETE", `${path}/${hook.hookId}`)).status).toBe(404);
    expect((await sendSigned(port, hook, erasureOf(1))).status).toBe(202);
  }
  expect((await viewer.post(`${path}/${own.hookId}/rotate`)).status).toBe(403);
  expect((await viewer.send("DELETE", `${path}/${own.hookId}`)).status).toBe(403);

  const rotated = (await owner.post(`${path}/${own.hookId}/rotate`)).body;
  expect(rotated).toMatchObject({ hookId: own.hookId, secret: expect.not.stringMatching(own.secret) });
  expect((await sendSigned(port, own, erasureOf(1))).status).toBe(401);
  expect((await sendSigned(port, rotated, erasureOf(1))).status).toBe(202);
  expect((await owner.send("DELETE", `${path}/${own.hookId}`)).body).toStrictEqual({ done: true });
  expect((await sendSigned(port, rotated, erasureOf(1))).status).toBe(404);
  const { hooks } = (await owner.get(path)).body;
  expect(hooks).toMatchObject([{ hookId: shared.hookId, isShared: true }]);
  const { records } = (await owner.get(`/api/clans/${clanId}/audit`)).body;
  const actions = ["hook.remove", "hook.rotate"].map((action) => ({ action, actor: "olga", target: own.hookId }));
  expect(records.slice(0, 2)).toMatchObject(actions);
});
