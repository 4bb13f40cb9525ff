// What wakes the workers, so that they number events soon: commands and commits announce their changes.
import { afterAll, expect, test } from "vitest";
import { UNNUMBERED } from "#redis/event-signal.ts";
import { redisNamespace } from "#redis/namespace.ts";
import { cliOn } from "../../support/cli.ts";
import { openTestRedis } from "../../support/world.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan } = await useApi();
const redis = openTestRedis(world.redisUrl);
afterAll(() => redis.quit());

test("a command that makes changes and a commit are announced, and a command that only reads is not", async () => {
  const heard: string[] = [];
  redis.on("message", (_channel, text) => heard.push(text));
  await redis.subscribe(`${redisNamespace(world.mongoUrl)}:events`);
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  expect((await cli.json("clan", "show", clan.clanId)).exitCode).toBe(0);
  expect((await cli.json("clan", "set", clan.clanId, "--name", "Night Rovers")).exitCode).toBe(0);
  await until(() => heard.length > 0);
  expect(heard).toStrictEqual([UNNUMBERED]);
  await clan.award("m", { amount: 1 });
  await until(() => heard.length > 1);
  expect(heard).toStrictEqual([UNNUMBERED, UNNUMBERED]);
});

test("a command that found no MongoDB says so, also if it would reach Redis", async () => {
  const cli = cliOn({ REDIS_URL: world.redisUrl, DATA_DIR: "/nowhere" });
  const { exitCode, answer } = await cli.json("clan", "set", clan.clanId, "--name", "Rovers");
  expect([exitCode, answer.error.code]).toEqual([3, "unreachable"]);
});

test("a command makes its change without Redis, too", async () => {
  const cli = cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: "redis://127.0.0.1:1" });
  const { exitCode, answer } = await cli.json("clan", "set", clan.clanId, "--name", "Day Rovers");
  expect([exitCode, answer.name]).toEqual([0, "Day Rovers"]);
});
