// A rejected request whose body stalls does not take the answer of the request before it along.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { makeSend } from "../../apps/api/http/send.ts";
import { openLine } from "../support/raw-http.ts";

const send = makeSend();
afterEach(() => void vi.useRealTimers());

test("the API answers a slow request before a pipelined request that is rejected before its body has arrived", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const first = Promise.withResolvers<ServerResponse>();
  const rejected = Promise.withResolvers<void>();
  const server = createServer((req, res) => {
    if (req.url === "/first") return first.resolve(res);
    send({ req, res, response: { status: 401, body: {} }, more: [] });
    // After the response, which is written at the end of this turn.
    setImmediate(rejected.resolve);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const line = await openLine((server.address() as AddressInfo).port);
  line.write("GET /first HTTP/1.1\r\nHost: a\r\n\r\nPOST /second HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n");
  const waiting = await first.promise;
  await rejected.promise;
  vi.advanceTimersByTime(60_000);
  send({ req: waiting.req, res: waiting, response: { status: 200, body: {} }, more: [] });
  expect([(await line.reply()).status, (await line.reply()).status]).toEqual([200, 401]);
  vi.advanceTimersByTime(60_000);
  await line.closed();
});
