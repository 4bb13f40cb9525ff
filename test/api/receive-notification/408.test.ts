// Bodies that arrive byte by byte end in time, and take no room from what Roblox signs meanwhile.
import { afterAll, describe, expect, test } from "vitest";
import { addHook, erasureOf, HOOK_KEY, hookCliOn, signatureOf } from "../../support/erasure-hooks.ts";
import { CHUNKED, chunkText, exchange, openLine, requestText, type Header, type Line } from "../../support/raw-http.ts";
import { until } from "../../support/until.ts";
import { useWorld } from "../../support/use-api.ts";

const CONNECTIONS = 20;
const LENGTH: Header = ["Content-Length", "5000"];

describe("POST /v0/hooks/{hookId}", async () => {
  const world = await useWorld();
  const hook = await addHook(hookCliOn(world), "--all");
  const config = { hookKey: HOOK_KEY };
  const path = `/v0/hooks/${hook.hookId}`;
  const lines: Line[] = [];
  afterAll(() => lines.forEach((line) => line.destroy()));

  /** Connections that begin a request, and send `piece` of its body again and again. `open`: how many are left. */
  async function drip(port: number, count: number, declared: Header, piece = " ") {
    const mine = await Promise.all(Array.from({ length: count }, () => openLine(port)));
    lines.push(...mine);
    let open = count;
    const dripping = setInterval(() => mine.forEach((line) => line.write(piece)), 50);
    const answers = mine.map(async (line) => {
      line.write(requestText("POST", path, [declared]));
      const answer = await line.closed();
      open -= 1;
      return answer;
    });
    return { open: () => open, closed: Promise.all(answers).finally(() => clearInterval(dripping)) };
  }

  /** On a new connection. */
  async function sendSigned(port: number): Promise<number> {
    const body = JSON.stringify(erasureOf(1));
    const signature: Header = ["roblox-signature", signatureOf(body, hook.secret)];
    return (await exchange(port, requestText("POST", path, [signature], body))).status;
  }

  test("answers a body that arrives byte by byte with a bare 408, whatever declares its length", async () => {
    const { port } = await world.startApi({ config, deadlines: { requestMs: 120_000, checkEveryMs: 50 } });
    const drips = [await drip(port, 3, LENGTH), await drip(port, 3, CHUNKED, chunkText(" "))];
    const answers = (await Promise.all(drips.map(({ closed }) => closed))).flat();
    expect(new Set(answers)).toStrictEqual(new Set(["HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"]));
    expect(await sendSigned(port)).toBe(202);
  });

  test("stores what is signed while as many bodies as there are connections arrive byte by byte", async () => {
    const deadlines = { requestMs: 120_000, checkEveryMs: 120_000 };
    const { port } = await world.startApi({ config, deadlines, connectionsMax: CONNECTIONS });
    const { open } = await drip(port, 2 * CONNECTIONS, LENGTH);
    await until(() => open() <= CONNECTIONS);
    for (let sent = 0; sent < 5; sent += 1) expect(await sendSigned(port)).toBe(202);
  });
});
