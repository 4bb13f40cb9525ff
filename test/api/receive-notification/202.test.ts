// What is rightly signed is stored once, and answered as Roblox expects.
import { describe, expect, test } from "vitest";
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

describe("POST /v0/hooks/{hookId}", async () => {
  const world = await useWorld();
  const cli = hookCliOn(world);
  const { port } = await world.startApi({ config: { hookKey: HOOK_KEY } });
  const hook = await addHook(cli, "--all");
  const requestsOf = async (hookId: string) =>
    (await cli.json("erasure", "list", "--hook", hookId, "--limit", "2000")).answer.requests;

  test("stores a request to erase a player once for each NotificationId of a hook, however often it is sent", async () => {
    const other = await addHook(cli, "--all");
    const notification = erasureOf(4711, { id: "once" });
    const sent = Array.from({ length: 10 }, () => sendSigned(port, hook, notification));
    const replies = [...(await Promise.all(sent)), await sendSigned(port, other, notification)];
    for (const { status, body } of replies) expect([status, body]).toStrictEqual([202, { notificationId: "once" }]);
    const request = {
      notificationId: "once",
      hookId: hook.hookId,
      platformId: "4711",
      status: "waiting",
      clans: [],
      receivedAt: expect.any(String),
      doneAt: null,
    };
    expect(await requestsOf(hook.hookId)).toStrictEqual([request]);
    expect(await requestsOf(other.hookId)).toStrictEqual([{ ...request, hookId: other.hookId }]);
  });

  test("stores whom a request for other games names nowhere", async () => {
    const ofGames = await addHook(cli, "--all", "--games", "1818,292439477");
    const sent = { none: [], others: [18, 181818], one: [7, 292439477] };
    for (const [id, games] of Object.entries(sent))
      expect((await sendSigned(port, ofGames, erasureOf(99, { id, games }))).status).toBe(202);
    const stored = (await requestsOf(ofGames.hookId)).map((request: any) => [
      request.notificationId,
      request.platformId,
    ]);
    expect(Object.fromEntries(stored)).toStrictEqual({ none: null, others: null, one: "99" });
  });

  test("accepts Roblox's test, other types of events and several signatures, and stores nothing of the first two", async () => {
    const own = await addHook(cli, "--all");
    const sample = { ...erasureOf(1), EventType: "SampleNotification", EventPayload: { UserId: 1 } };
    const other = { ...erasureOf(1), EventType: "SubscriptionPurchased", EventPayload: {} };
    for (const notification of [sample, other]) expect((await sendSigned(port, own, notification)).status).toBe(200);
    expect(await requestsOf(own.hookId)).toStrictEqual([]);
    const body = `\n ${JSON.stringify(erasureOf(2))} `;
    const [time, right] = signatureOf(body, own.secret).split(",");
    expect((await sendTo(port, own.hookId, body, `${time}, v1=bm8=, ${right},v0=x`)).status).toBe(202);
    expect(await requestsOf(own.hookId)).toHaveLength(1);
  });

  test("rejects none of 1,000 at the same time, also beside senders without a signature", async () => {
    const own = await addHook(cli, "--all");
    const unsigned = Array.from({ length: 100 }, () => sendTo(port, own.hookId, "{}"));
    const sent = Array.from({ length: 1_000 }, (_, index) => sendSigned(port, own, erasureOf(index + 1)));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 202)).toStrictEqual([]);
    for (const { status } of await Promise.all(unsigned)) expect([401, 429]).toContain(status);
    expect(await requestsOf(own.hookId)).toHaveLength(1_000);
  }, 120_000);
});
