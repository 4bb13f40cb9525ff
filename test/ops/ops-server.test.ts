// OPS_HOST: health and metrics can be kept off the address that callers reach.
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../support/listen.ts";
import { useWorld } from "../support/use-api.ts";

const world = await useWorld();

/** Linux has all of 127.0.0.0/8; other systems have only 127.0.0.1. */
test.skipIf(process.platform !== "linux")("the ops ports of API and worker listen only on OPS_HOST", async () => {
  for (const start of [world.startApi, world.startWorker]) {
    // A process that listened on 127.0.0.1, too, would find its port in use. Of a free one, anybody may answer there.
    const taken = createServer();
    onTestFinished(() => void taken.close());
    const opsPort = await listen(taken);
    await start({ config: { opsHost: "127.0.0.2", opsPort } });
    expect((await fetch(`http://127.0.0.2:${opsPort}/livez`)).status).toBe(200);
  }
});
