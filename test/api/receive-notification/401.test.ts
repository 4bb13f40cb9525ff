// Nothing is stored that the holder of the secret did not sign just now, and errors come in their order.
import { describe, expect, test } from "vitest";
import { expectProblem } from "../../support/responses.ts";
import { callerOf } from "../../support/http.ts";
import {
  addHook,
  erasureOf,
  HOOK_KEY,
  hookCliOn,
  sendSigned,
  sendTo,
  signatureOf,
} from "../../support/erasure-hooks.ts";
import { useWorld } from "../../support/use-api.ts";

const MINUTE_S = 60;
const DAY_S = 86_400;
const nowS = Math.floor(Date.now() / 1_000);

describe("POST /v0/hooks/{hookId}", async () => {
  const world = await useWorld();
  const cli = hookCliOn(world);
  const start = async () => (await world.startApi({ config: { hookKey: HOOK_KEY } })).port;
  const hook = await addHook(cli, "--all");
  const requestsOf = async (hookId: string) => (await cli.json("erasure", "list", "--hook", hookId)).answer.requests;

  test("rejects what is forged, changed, truncated, signed for another hook or not signed, and stores nothing", async () => {
    const port = await start();
    const [own, other] = [await addHook(cli, "--all"), await addHook(cli, "--all")];
    const body = JSON.stringify(erasureOf(1));
    const right = signatureOf(body, own.secret);
    const forged = [
      undefined,
      "",
      "v1=",
      `t=${nowS}`,
      right.replace("t=", "t=0"),
      `${right},t=${nowS}`,
      right.slice(0, -4),
      signatureOf(body, other.secret),
    ];
    for (const signature of forged)
      expectProblem(await sendTo(port, own.hookId, body, signature), 401, "signature_invalid");
    for (const changed of [body.replace("1", "2"), body.slice(0, -1)])
      expectProblem(await sendTo(port, own.hookId, changed, right), 401, "signature_invalid");
    expect(await requestsOf(own.hookId)).toStrictEqual([]);
  });

  test("rejects a signature that is 3 days old or 5 minutes ahead, and accepts one just within", async () => {
    const port = await start();
    const body = JSON.stringify(erasureOf(5, { id: "timely" }));
    const at = (time: number | string) => sendTo(port, hook.hookId, body, signatureOf(body, hook.secret, time));
    for (const time of [nowS - 3 * DAY_S - MINUTE_S, nowS + 6 * MINUTE_S, 0, "now", "1e9"])
      expectProblem(await at(time), 401, "signature_invalid");
    for (const time of [nowS - 3 * DAY_S + MINUTE_S, nowS + 4 * MINUTE_S]) expect((await at(time)).status).toBe(202);
    expect(
      (await requestsOf(hook.hookId)).filter(({ notificationId }: any) => notificationId === "timely"),
    ).toHaveLength(1);
  });

  test("ends the secret with its rotation, and the hook with its removal", async () => {
    const port = await start();
    const old = await addHook(cli, "--all");
    const rotated = (await cli.json("erasure-hook", "rotate", old.hookId)).answer;
    expect(rotated).toStrictEqual({ ...old, secret: expect.not.stringMatching(old.secret) });
    expectProblem(await sendSigned(port, old, erasureOf(1)), 401, "signature_invalid");
    expect((await sendSigned(port, rotated, erasureOf(1))).status).toBe(202);
    expect((await cli.json("erasure-hook", "remove", old.hookId)).exitCode).toBe(0);
    expectProblem(await sendSigned(port, rotated, erasureOf(1)), 404, "not_found");
  });

  test("reports an unknown hook before a large body, that before the signature, and that before the content", async () => {
    const port = await start();
    const large = " ".repeat(16 * 1024 + 1);
    expectProblem(await sendTo(port, "hok_0123456789abcdef", large), 404, "not_found");
    expectProblem(await sendTo(port, "unknown", large), 404, "not_found");
    expectProblem(await sendTo(port, hook.hookId, large, signatureOf(large, hook.secret)), 413, "body_too_large");
    expectProblem(await sendTo(port, hook.hookId, "no JSON"), 401, "signature_invalid");
    const valid = erasureOf(1);
    const invalid = [
      [],
      { ...valid, NotificationId: "" },
      { ...valid, NotificationId: undefined },
      { ...valid, EventTime: undefined },
      { ...valid, EventPayload: "x" },
      erasureOf("1"),
      erasureOf(1.5),
      erasureOf(-1),
      erasureOf(1, { games: ["1"] }),
      { ...valid, EventPayload: { UserId: 1 } },
    ];
    for (const notification of invalid)
      expectProblem(await sendSigned(port, hook, notification), 400, "invalid_request");
    expectProblem(await sendTo(port, hook.hookId, "{", signatureOf("{", hook.secret)), 400, "invalid_json");
    expect((await callerOf(port, null).get(`/v0/hooks/${hook.hookId}`)).status).toBe(405);
    expect((await sendSigned(port, hook, { ...valid, More: { of: ["it"] } })).status).toBe(202);
  });

  test("limits unsigned requests of an address to 10 a second, and none that is signed", async () => {
    const port = await start();
    const unsigned = await Promise.all(Array.from({ length: 30 }, () => sendTo(port, hook.hookId, "{}", "t=1,v1=x")));
    const limited = unsigned.filter(({ status }) => status === 429);
    for (const reply of limited) {
      expectProblem(reply, 429, "rate_limited");
      expect(reply.headers.get("retry-after")).toBe("1");
    }
    // On a busy machine they take more than a second.
    expect(limited.length).toBeGreaterThanOrEqual(1);
    expect(unsigned.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(10);
    expect((await sendSigned(port, hook, erasureOf(1))).status).toBe(202);
  });

  test("is unavailable without the key that encrypted the secret, and says nothing of unknown hooks", async () => {
    const other = Buffer.alloc(32, 8).toString("base64");
    const apis = [await world.startApi(), await world.startApi({ config: { hookKey: other } })];
    for (const { port } of apis) {
      expectProblem(await sendSigned(port, hook, erasureOf(1)), 503, "unavailable");
      expectProblem(await sendTo(port, "hok_0123456789abcdef", "{}"), 404, "not_found");
    }
  });
});
