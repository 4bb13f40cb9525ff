// OPS_HOST: health and metrics can be kept off the address that callers reach.
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** Linux has all of 127.0.0.0/8; other systems have only 127.0.0.1. */
test.skipIf(process.platform !== "linux")("the ops ports of API and worker listen only on OPS_HOST", async () => {
  const config = { opsHost: "127.0.0.2" };
  for (const { opsPort } of [await world.startApi({ config }), await world.startWorker({ config })]) {
    expect((await fetch(`http://127.0.0.2:${opsPort}/livez`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${opsPort}/livez`)).rejects.toThrow("fetch failed");
  }
});
