// clanxp erasure-hook and clanxp erasure: hooks, and what a worker does with the requests that they receive.
import { afterAll, describe, expect, test } from "vitest";
import { makeRequestStore } from "#hooks/store/request-store.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { answeringCliOn, cliOn } from "../../support/cli.ts";
import { addHook, erasureOf, HOOK_KEY, hookCliOn, sendSigned, type SentHook } from "../../support/erasure-hooks.ts";
import { startProcess } from "../../support/processes.ts";
import { scrape } from "../../support/scrape.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";
import { whereIs } from "../../support/where-is.ts";

const world = await useWorld();
const cli = hookCliOn(world);
const { port } = await world.startApi({ config: { hookKey: HOOK_KEY } });

const requestsOf = async ({ hookId }: SentHook, ...options: string[]) =>
  (await cli.json("erasure", "list", "--hook", hookId, ...options)).answer.requests;
const statusesOf = async (hook: SentHook) =>
  Object.fromEntries((await requestsOf(hook)).map((request: any) => [request.notificationId, request.status]));

describe("erasure-hook", () => {
  test("adds a hook whose secret is shown once, lists, rotates and removes it, all in the audit log", async () => {
    const { clanId } = (await world.makeClan()).clan;
    const hook = await addHook(cli, "--clan", clanId, "--games", "1818, 7,1818");
    const { hookId } = hook;
    expect(hook).toStrictEqual({
      hookId: expect.stringMatching(/^hok_[\w-]{16}$/),
      url: `https://xp.example.com/v0/hooks/${hookId}`,
      secret: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    });
    const listed = async () =>
      (await cli.json("erasure-hook", "list")).answer.hooks.filter((one: any) => one.hookId === hookId);
    const { url } = hook;
    const shown = {
      hookId,
      clanIds: [clanId],
      games: ["1818", "7"],
      url,
      createdAt: expect.any(String),
      createdBy: "ada",
    };
    expect(await listed()).toStrictEqual([shown]);
    expect((await cli.json("erasure-hook", "rotate", hookId)).answer.hookId).toBe(hookId);
    expect((await cli.json("erasure-hook", "remove", hookId)).exitCode).toBe(0);
    expect(await listed()).toStrictEqual([]);
    const { records } = (await cli.json("audit", "list", "--clan", clanId)).answer;
    const actions = ["hook.remove", "hook.rotate", "hook.add"];
    expect(records.slice(0, 3)).toMatchObject(actions.map((action) => ({ action, target: hookId, actor: "ada" })));
    expect(await whereIs(world, hook.secret)).toStrictEqual([]);
  });

  test("rejects bad input before anything is changed, and says what is missing", async () => {
    const before = (await cli.json("erasure-hook", "list")).answer;
    const usage = [
      ["add"],
      ["add", "--all", "--clan", "x"],
      ["add", "--all", "--games", "1,x"],
      ["add", "--all", "--games", ""],
    ];
    for (const args of usage) expect((await cli.json("erasure-hook", ...args)).exitCode).toBe(2);
    const unknown = [
      ["erasure-hook", "add", "--clan", "unknown"],
      ["erasure-hook", "rotate", "hok_0123456789abcdef"],
      ["erasure-hook", "remove", "hok_0123456789abcdef"],
      ["erasure", "list", "--hook", "hok_0123456789abcdef"],
      ["erasure", "release", "hok_0123456789abcdef", "--yes"],
    ];
    const codes = [];
    for (const args of unknown) codes.push((await cli.json(...args)).answer.error.code);
    expect(codes).toStrictEqual(["clan_not_found", ...Array<string>(4).fill("hook_not_found")]);
    expect((await cli.json("erasure", "list", "--status", "open")).exitCode).toBe(2);
    expect((await cli.json("erasure", "refuse", "hok_0123456789abcdef")).exitCode).toBe(2);
    expect((await cli.json("erasure-hook", "list")).answer).toStrictEqual(before);
  });
});

test("a hook is added without HOOK_KEY once an API that has it has run", async () => {
  const keyless = cliOn({ MONGO_URL: world.mongoUrl, DATA_DIR: "/nowhere" });
  const api = world.database.db().collection<{ _id: string }>("meta");
  await until(async () => (await api.countDocuments({ _id: "hookKey" })) === 1);
  const hook = await addHook(keyless, "--all");
  expect((await sendSigned(port, hook, erasureOf(1))).status).toBe(202);
  await api.deleteOne({ _id: "hookKey" });
  const { answer } = await keyless.json("erasure-hook", "rotate", hook.hookId);
  expect(answer.error.code).toBe("hook_key_missing");
});

describe("a request of Roblox", { timeout: 120_000 }, async () => {
  const worker = startProcess("worker", { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  afterAll(() => worker.stop());
  const { opsPort } = await worker.ready();

  test("erases the player in each clan of the hook, once, with one audit record for each, and keeps no id", async () => {
    const clans = [await makeClanCaller(world, port), await makeClanCaller(world, port)];
    const [first, second] = clans.map(({ clanId }) => clanId).toSorted();
    const [platformId, stranger] = ["918273645546372", await makeClanCaller(world, port)];
    for (const clan of clans) await clan.award(platformId, { amount: 10 });
    await clans[0]?.post("/names", { names: [{ platformId, name: "Builderman" }] });
    const outside = await makeClanCaller(world, port, { autoClan: false });
    const hook = await addHook(cli, "--all");
    await outside.submit([{ platformId, amount: 1 }]);
    for (const id of ["first", "again"])
      expect((await sendSigned(port, hook, erasureOf(Number(platformId), { id }))).status).toBe(202);
    expect((await sendSigned(port, hook, erasureOf(404, { id: "unknown" }))).status).toBe(202);
    const ofTwo = await addHook(cli, ...clans.flatMap(({ clanId }) => ["--clan", clanId]));
    for (const clan of [...clans, stranger]) await clan.award("77", { amount: 1 });
    await sendSigned(port, ofTwo, erasureOf(77));
    await until(async () => (await requestsOf(ofTwo, "--status", "done")).length === 1);
    expect((await requestsOf(ofTwo))[0].clans).toStrictEqual([first, second]);
    const ofGames = await addHook(cli, "--clan", stranger.clanId, "--games", "7");
    await sendSigned(port, ofGames, erasureOf(77, { games: [1818] }));
    await until(async () => (await requestsOf(ofGames, "--status", "done")).length === 1);
    expect((await requestsOf(ofGames))[0]).toMatchObject({ platformId: null, clans: [] });
    expect((await stranger.get("/members/77")).body.xp).toBe("1");
    for (const clan of clans) expect((await clan.get("/members/77")).status).toBe(404);

    await until(async () => (await requestsOf(hook, "--status", "done")).length === 3);

    expect(await whereIs(world, platformId)).toStrictEqual([]);
    const done = await requestsOf(hook);
    expect(done.find(({ notificationId }: any) => notificationId === "first")).toStrictEqual({
      notificationId: "first",
      hookId: hook.hookId,
      platformId: null,
      status: "done",
      clans: [first, second, outside.clanId].toSorted((a = "", b = "") => (a < b ? -1 : 1)),
      receivedAt: expect.any(String),
      doneAt: expect.any(String),
    });
    expect(done.find(({ notificationId }: any) => notificationId === "unknown").clans).toStrictEqual([]);
    const { records } = (await cli.json("audit", "list", "--clan", first ?? "", "--action", "member.erase")).answer;
    const record = { actor: "Roblox", via: "hook", clanId: first, before: null };
    expect(records[0]).toMatchObject(record);
    expect((await cli.json("reconcile")).answer.differences).toStrictEqual([]);
  });

  test("that waits when its hook is removed is done nevertheless", async () => {
    const clan = await makeClanCaller(world, port);
    const { clanId } = clan;
    await clan.award("5", { amount: 1 });
    const hook = await addHook(cli, "--clan", clanId);
    expect((await cli.json("erasure-hook", "remove", hook.hookId)).exitCode).toBe(0);
    const waiting = { hookId: hook.hookId, clanIds: [clanId], notificationId: "late", platformId: "5" };
    await makeRequestStore(world.database).add({ ...waiting, receivedAt: new Date() });
    await until(async () => (await requestsOf(hook, "--status", "done")).length === 1);
    expect((await requestsOf(hook))[0]).toMatchObject({ platformId: null, clans: [clanId] });
    expect((await clan.get("/members/5")).status).toBe(404);
  });

  test("that is one of too many in an hour waits for a person, who releases or refuses it", async () => {
    const clan = await makeClanCaller(world, port);
    const hook = await addHook(cli, "--clan", clan.clanId);
    for (const platformId of ["1", "2", "3"]) await clan.award(platformId, { amount: 1 });
    const at = new Date();
    const turns = Array.from({ length: 99 }, (_, index) => ({ requestId: `${hook.hookId}/${index}`, at }));
    const old = { requestId: `${hook.hookId}/old`, at: new Date(at.getTime() - 3_601_000) };
    const hooks = world.database.db().collection<{ _id: string }>("hooks");
    await hooks.updateOne({ _id: hook.hookId }, { $set: { turns: [old, ...turns] } });

    await sendSigned(port, hook, erasureOf(1, { id: "a" }));
    await until(async () => (await statusesOf(hook))["a"] !== "waiting");
    for (const [id, userId] of Object.entries({ b: 2, c: 3, d: 4 }))
      await sendSigned(port, hook, erasureOf(userId, { id }));
    // Nothing is stored of the last one.
    await until(async () => Object.values(await statusesOf(hook)).every((status) => /held|done/.test(`${status}`)));
    expect(await statusesOf(hook)).toStrictEqual({ a: "done", b: "held", c: "held", d: "done" });
    expect((await clan.get("/members/2")).status).toBe(200);
    await until(async () => (await scrape(opsPort)).series.get("clanxp_erasure_requests_held") === 2);
    const logged = worker
      .output()
      .split("\n")
      .filter((line) => line.includes("erasure.many"));
    const warnings = logged.map((line): any => JSON.parse(line));
    expect(new Set(warnings.map(({ hookId }) => hookId))).toStrictEqual(new Set([hook.hookId]));
    expect(warnings.reduce((sum, { held }) => sum + held, 0)).toBe(2);
    expect(logged.join()).not.toContain("platformId");

    const careful = answeringCliOn({ MONGO_URL: world.mongoUrl }, false);
    expect((await careful.json("erasure", "release", hook.hookId)).answer.error.code).toBe("not_confirmed");
    expect(careful.questions).toStrictEqual([expect.stringContaining("holds 2 requests")]);
    const released = await cli.json("erasure", "release", hook.hookId, "--yes");
    expect(released.answer).toStrictEqual({ hookId: hook.hookId, released: 2 });
    await until(async () => (await requestsOf(hook, "--status", "done")).length === 4);
    expect((await clan.get("/members/2")).status).toBe(404);

    await clan.award("2", { amount: 1 });
    await sendSigned(port, hook, erasureOf(2, { id: "e" }));
    await until(async () => (await statusesOf(hook))["e"] === "held");
    expect((await requestsOf(hook, "--status", "held"))[0].platformId).toBe("2");
    const refused = await cli.json("erasure", "refuse", hook.hookId, "--yes");
    expect(refused.answer).toStrictEqual({ hookId: hook.hookId, refused: 1 });
    expect((await requestsOf(hook, "--status", "refused"))[0]).toMatchObject({ platformId: null, clans: [] });
    expect((await clan.get("/members/2")).body.xp).toBe("1");
    const { records } = (await cli.json("audit", "list", "--clan", clan.clanId)).answer;
    const decisions = records.filter(({ after }: any) => after?.requests !== undefined);
    expect(decisions).toMatchObject([
      { action: "hook.reject", after: { requests: 1 } },
      { action: "hook.release", after: { requests: 2 } },
    ]);
  });
});
