// The example of nginx in front of the dashboard, in real nginx: it passes on what the dashboard judges callers by.
import { once } from "node:events";
import { createServer, request, type IncomingHttpHeaders } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { readPage } from "../support/docs-page.ts";
import { listen } from "../support/listen.ts";
import { nginxOrNull } from "../support/nginx.ts";

const startNginx = await nginxOrNull();

test.skipIf(!startNginx)("nginx passes on the whole Host, and the caller's address as the last one", async () => {
  if (!startNginx) return;
  const received: IncomingHttpHeaders[] = [];
  const dashboard = createServer((req, res) => {
    received.push(req.headers);
    res.end();
  });
  onTestFinished(() => void dashboard.close());
  const address = `127.0.0.1:${await listen(dashboard)}`;
  const [, block = ""] = /### nginx\n\n((?: {4}.+\n)+)/.exec(readPage("docs/how-to/dashboard.md")) ?? [];
  const conf = block
    .replace("listen 443 ssl;", "listen 80;")
    .replaceAll(/^ *ssl_.*\n/gm, "")
    .replace("127.0.0.1:8081", address);
  const { port, close } = await startNginx(conf);
  onTestFinished(close);

  const headers = { host: "clans.example.com:8443", "x-forwarded-for": "192.0.2.1" };
  const sent = request({ host: "127.0.0.1", port, headers }).end();
  const [response] = await once(sent, "response");
  expect(response.resume().statusCode).toBe(200);
  expect(received).toMatchObject([{ host: "clans.example.com:8443", "x-forwarded-for": "192.0.2.1, 127.0.0.1" }]);
});
