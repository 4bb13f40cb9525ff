// Requests that follow others on their connection before these are answered, and that Node's server passes on
// differently.
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startApi } from "../../apps/api/compose.ts";
import { expectResponse } from "../support/responses.ts";
import { awardText, bearer, requestText, type Header } from "../support/raw-http.ts";
import { testLog } from "../support/world.ts";
import { useRawHttp } from "../support/raw-http-suite.ts";

const rawHttp = await useRawHttp();

const CONNECT = requestText("CONNECT", "host:443");

describe("CONNECT after pipelined requests", () => {
  test("is answered after them, and closes the connection", async () => {
    const line = await rawHttp.open();
    line.write(awardText(rawHttp.clan, "good", '{"amount":0}').repeat(3) + CONNECT);
    for (let award = 0; award < 3; award += 1) expectResponse("apply-award", await line.reply());
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });

  test("is not answered after a request with Connection: close", async () => {
    const line = await rawHttp.open();
    line.write(awardText(rawHttp.clan, "good", '{"amount":0}', ["Connection", "close"]) + CONNECT);
    expectResponse("apply-award", await line.reply());
    expect(await line.closed()).toBe("");
  });

  const brokenBefore: [string, string][] = [
    ["no Host", "GET / HTTP/1.1\r\nAccept: x\r\n\r\n"],
    ["two Hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"],
  ];
  test.for(brokenBefore)("is not answered after a malformed request with %s", async ([, text]) => {
    const line = await rawHttp.open();
    line.write(text + CONNECT);
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });

  test("changes nothing if the caller has disconnected", async () => {
    const line = await rawHttp.open();
    line.write(awardText(rawHttp.clan, "good", '{"amount":0}') + CONNECT);
    line.destroy();
    expect(await line.closed()).toBe("");
  });
});

describe("after CONNECT or an unknown method, the API closes the connection", () => {
  const last = [CONNECT, requestText("BREW", "/nowhere")];

  test.for(last)("even if the caller sends more data: %j", async (request) => {
    const api = await startApi({ config: rawHttp.world.config, log: testLog });
    const line = await rawHttp.open(api.port);
    line.write(request);
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    line.write("more");
    line.destroy();
    // It resolves once every connection is closed.
    await expect(api.close()).resolves.toBeUndefined();
  });

  test.for(last)("even if the caller keeps it open: %j", async (request) => {
    const api = await startApi({ config: rawHttp.world.config, log: testLog });
    const socket = connect({ port: api.port, allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.resume();
    const ended = once(socket, "end");
    socket.write(`${request}more`);
    await ended;
    await expect(api.close()).resolves.toBeUndefined();
  });
});

test("the API closes a connection after the silence timeout if its caller reads no response before a CONNECT", async () => {
  const api = await startApi({ config: rawHttp.world.config, log: testLog, deadlines: { silenceMs: 500 } });
  const socket = connect({ port: api.port });
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  // More than the buffers of a connection hold.
  socket.write(requestText("GET", "/docs/reference/api.md").repeat(400) + CONNECT);
  // The first bytes have come, and nobody reads them; or the process got no CPU for the time of the silence before.
  await new Promise<void>((resolve) => void socket.once("readable", resolve).once("close", () => resolve()));
  await expect(api.close()).resolves.toBeUndefined();
});

describe("an offer to upgrade the protocol is declined,", () => {
  const UPGRADE: Header[] = [
    ["Connection", "Upgrade, HTTP2-Settings"],
    ["Upgrade", "h2c"],
    ["HTTP2-Settings", "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA"],
  ];

  test("and the body of the request and the next request on the connection are read", async () => {
    const line = await rawHttp.open();
    line.write(awardText(rawHttp.clan, "good", '{"amount":0}', ...UPGRADE));
    expectResponse("apply-award", await line.reply());
    line.write(awardText(rawHttp.clan, "good", '{"amount":0}', ...UPGRADE));
    expectResponse("apply-award", await line.reply());
  });

  test("also for a request without a body", async () => {
    const line = await rawHttp.open();
    for (let request = 0; request < 3; request += 1) {
      line.write(requestText("GET", `/v0/clans/${rawHttp.clan.clanId}`, [bearer(rawHttp.clan), ...UPGRADE]));
      expectResponse("read-clan", await line.reply());
    }
  });
});
