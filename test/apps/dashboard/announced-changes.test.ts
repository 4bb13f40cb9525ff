// What people change in the dashboard wakes the workers, so that its events are numbered soon.
import { expect, onTestFinished, test } from "vitest";
import { UNNUMBERED } from "#redis/event-signal.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { until } from "../../support/until.ts";
import { openTestRedis } from "../../support/world.ts";
import { useDashboard } from "./dashboard-world.ts";

const { world, newClan } = await useDashboard();

test("a change is announced, and a page that is read is not", async () => {
  const { api, person } = await newClan("ada");
  const redis = openTestRedis(world.redisUrl);
  onTestFinished(() => void redis.quit());
  const heard: string[] = [];
  redis.on("message", (_channel, text) => heard.push(text));
  await redis.subscribe(`${redisNamespace(world.mongoUrl)}:events`);
  expect((await person.get(`${api}/boosts`)).status).toBe(200);
  const window = { kind: "weekends", weekends: 1, timeZone: "UTC" };
  const boost = { name: "Double XP", factor: "2", ranks: [], placeIds: [], window };
  expect((await person.post(`${api}/boosts`, boost)).status).toBe(200);
  await until(() => heard.length > 0);
  expect(heard).toStrictEqual([UNNUMBERED]);
});
