// Express answers every request, and does not change what requests and answers are.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { makeExpressApp } from "#http/express-app.ts";
import { callerOf } from "../../support/http.ts";

test("middleware receives requests of every method with all features of Express, without changed prototypes", async () => {
  const { app, served } = makeExpressApp();
  const seen: unknown[] = [];
  let before: unknown[] = [];
  app.use((req, res) => {
    seen.push([req.method, req.path, req.get("x-note")]);
    expect([req, res].map((one): unknown => Object.getPrototypeOf(one))).toStrictEqual(before);
    res.status(200).json({ ok: true });
  });
  const server = createServer(served.classes, (req, res) => {
    before = [req, res].map((one): unknown => Object.getPrototypeOf(one));
    served.listener(req, res);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const caller = callerOf((server.address() as AddressInfo).port, null);
  for (const method of ["POST", "GET", "DELETE"]) {
    expect(await caller.send(method, "/some/path", { headers: { "x-note": "a" } })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
  }
  expect(seen).toStrictEqual(["POST", "GET", "DELETE"].map((method) => [method, "/some/path", "a"]));
  server.closeAllConnections();
  await once(server.close(), "close");
});
