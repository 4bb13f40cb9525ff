// Health as orchestrators read it: /livez while the process runs, /readyz while every required dependency is up.
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#process/clock.ts";
import { watchHealth, type Check } from "#process/health.ts";
import { startOpsServer } from "#process/ops-server.ts";
import { testLog } from "../support/world.ts";

const up: Check["check"] = () => Promise.resolve();
const down: Check["check"] = () => Promise.reject(new Error("mongodb://root:secret@db refused the connection"));

async function startWith(checks: Record<string, Check>): Promise<(path: string) => Promise<Response>> {
  const health = watchHealth({ checks, clock: systemClock, log: testLog });
  const ops = await startOpsServer({ host: "127.0.0.1", port: 0, health, metrics: new Registry() });
  onTestFinished(async () => {
    health.stop();
    await ops.close();
  });
  return (path) => fetch(`http://127.0.0.1:${ops.port}${path}`);
}

test("a process is ready while its dependencies are up, and degraded, but serving, without one that it does not require", async () => {
  let redis = up;
  const get = await startWith({
    mongo: { check: up, required: true },
    redis: { check: () => redis(), required: false },
  });
  const status = async (): Promise<string> => ((await (await get("/readyz")).json()) as { status: string }).status;
  await expect.poll(status).toBe("ready");
  redis = down;
  await expect.poll(status).toBe("degraded");
  expect((await get("/readyz")).status).toBe(200);
  expect(await (await get("/readyz")).json()).toMatchObject({
    status: "degraded",
    dependencies: { mongo: { state: "up" }, redis: { state: "down" } },
  });
});

test("a process is alive but not ready while a required dependency is down, and reports since when and why, without credentials", async () => {
  let check = up;
  const get = await startWith({ mongo: { check: () => check(), required: true } });
  await expect.poll(async () => (await get("/readyz")).status).toBe(200);
  const before = Date.now();
  check = down;
  await expect.poll(async () => (await get("/readyz")).text()).toContain("refused the connection");
  const response = await get("/readyz");
  expect(response.status).toBe(503);
  const text = await response.text();
  const { status, dependencies } = JSON.parse(text);
  expect([status, dependencies.mongo.state]).toEqual(["not ready", "down"]);
  expect(Date.parse(dependencies.mongo.since)).toBeGreaterThanOrEqual(before);
  expect(text).not.toContain("secret");
  expect((await get("/livez")).status).toBe(200);
  check = up;
  await expect.poll(async () => (await get("/readyz")).status).toBe(200);
});
