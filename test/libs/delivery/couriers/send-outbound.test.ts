// Requests to strangers: none leads to an address that is not public, and none takes more than its bounds.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { makeCheckAddress } from "#delivery/couriers/check-address.ts";
import { findUrlFault } from "#delivery/couriers/find-url-fault.ts";
import { makeSendOutbound } from "#delivery/couriers/send-outbound.ts";
import { makeSendToService } from "#delivery/couriers/send-to-service.ts";
import type { OutboundRequest, OutboundResult } from "#delivery/ports.ts";
import { startReceiver, type Misbehavior } from "../../../support/receiver.ts";
import { hasOpenssl, makeCertificates } from "../../../tls/certificates.ts";
import { addresses, literals, loopback, urls } from "./hostile-urls.ts";

const receiver = await startReceiver({ host: "0.0.0.0" });
const other = await startReceiver();
afterAll(() => Promise.all([receiver.close(), other.close()]));
const hereUrl = `http://127.0.0.1:${receiver.port}/`;
beforeEach(() => {
  receiver.answer({ status: 200, body: "here" });
  receiver.requests.length = 0;
});

const lookUp = async (host: string): Promise<string[]> => {
  const found = addresses[host];
  if (!found) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  return found;
};
const allowPrivate = ["127.0.0.0/8"];
const sendHere = makeSendOutbound({ allowPrivate, lookUp });

function requestTo(url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: "POST", url, headers: {}, body: "{}", timeoutMs: 20_000, bodyBytesMax: 1_000, ...changes };
}

describe("a URL", () => {
  const send = makeSendOutbound({ allowPrivate: [], lookUp });
  const check = makeCheckAddress({ allowPrivate: [], lookUp });
  const atPort = (url: string): string => url.replaceAll("PORT", `${receiver.port}`);
  const hostile = [...literals.flatMap((host) => [`https://${host}:PORT/`, `http://${host}:PORT/`]), ...urls].map(
    atPort,
  );

  test("of a hostile kind is rejected when it is entered and when it is used, and no connection is opened", async () => {
    expect(hostile.length).toBeGreaterThan(200);
    const before = receiver.connections();
    for (const url of hostile) {
      // It may have a name elsewhere, or later.
      const isUnknown = url.includes("no-such-name");
      const fault = isUnknown ? null : expect.stringMatching(/\.$/);
      expect({ url, fault: await check("webhook", url) }).toEqual({ url, fault });
      const result = await send(requestTo(url));
      expect({ url, result }).toMatchObject({ url, result: { kind: "error" } });
      const { error, detail } = result as Extract<OutboundResult, { kind: "error" }>;
      expect({ url, error }).toEqual({ url, error: isUnknown ? "dns" : "blocked_address" });
      expect(detail).not.toContain(`${receiver.port}`);
    }
    expect(receiver.connections()).toBe(before);
  });

  test("of the same kinds leads to this machine where that is allowed", async () => {
    for (const host of loopback) {
      const url = `http://${host}:${receiver.port}/`;
      expect({ url, result: await sendHere(requestTo(url)) }).toMatchObject({ url, result: { status: 200 } });
    }
    expect(receiver.requests).toHaveLength(loopback.length);
  });

  test.each([
    "https://example.com",
    "https://example.com/a/b?c=d&e",
    "https://example.com:443/",
    "https://example.com:1024/",
    "https://example.com:65535/",
    "https://EXAMPLE.com./",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[64:ff9b::808:808]/",
    "https://bücher.example/",
    `https://example.com/${"x".repeat(2_048 - 20)}`,
  ])("%.60s is accepted", (url) => {
    expect(findUrlFault(url, [])).toBeNull();
  });
});

describe("blocks that are allowed", () => {
  test("allow http and any port for what they name, and link-local addresses only by their whole block", async () => {
    const reaches = (url: string, ...blocks: string[]): boolean => findUrlFault(url, blocks) === null;
    expect(reaches("http://10.1.2.3:80/", "10.1.0.0/16")).toBe(true);
    expect(reaches("http://[::ffff:10.1.2.3]:80/", "10.1.0.0/16")).toBe(true);
    expect(reaches("http://10.2.2.3:80/", "10.1.0.0/16")).toBe(false);
    expect(reaches("http://[::1]:22/", "::1/128")).toBe(true);
    expect(reaches("http://[::2]:22/", "::1/128")).toBe(false);
    expect(reaches("http://8.8.8.8/", "8.8.8.0/24")).toBe(true);
    for (const wide of ["0.0.0.0/0", "160.0.0.0/3"]) expect(reaches("https://169.254.169.254/", wide)).toBe(false);
    expect(reaches("http://192.168.1.1:80/", "0.0.0.0/0")).toBe(true);
    expect(reaches("http://169.254.169.254/", "169.254.0.0/16")).toBe(true);
    expect(reaches("http://[::ffff:169.254.1.1]/", "169.254.0.0/16")).toBe(true);
    for (const wide of ["::/0", "fe00::/8"]) expect(reaches("https://[fe80::1]/", wide)).toBe(false);
    expect(reaches("http://[fe80::1]/", "fe80::/10")).toBe(true);
    // Where other clouds serve credentials.
    for (const [host, wide, own] of [
      ["[fd00:ec2::254]", "fd00::/8", "fd00:ec2::254/128"],
      ["[fd20:ce::254]", "fd00::/8", "fd20:ce::254/128"],
      ["100.100.100.200", "100.64.0.0/10", "100.100.100.200/32"],
    ] as const) {
      expect([host, reaches(`https://${host}/`, wide), reaches(`https://${host}/`, own)]).toEqual([host, false, true]);
    }
    for (const host of ["localhost", "localhost.", "a.localhost"]) {
      expect([host, reaches(`https://${host}/`), reaches(`https://${host}/`, "::1/128")]).toEqual([host, false, true]);
    }
  });
});

describe("a connection", () => {
  test("goes to the addresses that were checked: the name is looked up once for each", async () => {
    const answers = [["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"], ["8.8.8.8", "10.0.0.1"]];
    const send = makeSendOutbound({ allowPrivate, lookUp: async () => answers.shift() ?? [] });
    const url = `http://rebinding.example:${receiver.port}/`;
    for (const left of [3, 2]) {
      expect(await send(requestTo(url))).toMatchObject({ status: 200, body: "here" });
      expect(answers).toHaveLength(left);
    }
    for (let count = 0; count < 2; count++)
      expect(await send(requestTo(url))).toMatchObject({ error: "blocked_address" });
    expect(await send(requestTo(url))).toMatchObject({ error: "dns" });
    expect(receiver.requests.map(({ headers }) => headers.host)).toEqual(Array(2).fill(new URL(url).host));
  });

  test("is used once: the next request is checked again", async () => {
    const before = receiver.connections();
    for (let count = 0; count < 3; count++) await sendHere(requestTo(hereUrl));
    expect(receiver.connections()).toBe(before + 3);
    expect(receiver.requests.map(({ headers }) => headers.connection)).toEqual(["close", "close", "close"]);
  });

  test("that nobody accepts is an error", async () => {
    const closed = await startReceiver();
    await closed.close();
    expect(await sendHere(requestTo(closed.url))).toMatchObject({
      error: "connection",
      detail: expect.stringMatching(/^Nothing listens/),
    });
  });
});

describe("a response", () => {
  test("that redirects is the result, and its target sees no connection", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer({ status, headers: { location: `${other.url}/private` } });
      expect(await sendHere(requestTo(hereUrl))).toMatchObject({
        status,
        headers: { location: `${other.url}/private` },
      });
    }
    expect(other.connections()).toBe(0);
  });

  test.each<[Misbehavior, object]>([
    ["close", { kind: "error", error: "connection" }],
    ["hang", { kind: "error", error: "timeout", detail: "No response arrived within 0.3 s." }],
    ["endless headers", { kind: "error", error: "connection", detail: expect.stringContaining("larger than 16 KiB") }],
    ["endless informational", { kind: "error", error: "connection" }],
    ["endless body", { kind: "response", status: 200, body: "x".repeat(1_000) }],
    ["no HTTP", { kind: "error", error: "connection" }],
    ["no HTTP in body", { kind: "response", status: 200, body: "" }],
    ["hang in body", { kind: "response", status: 200, body: "begun" }],
    ["close in body", { kind: "response", status: 200, body: "begun" }],
  ])("with the fault %j ends in bounded time", async (fault, expected) => {
    receiver.answer(fault);
    // The head of the response must arrive before the time is over, also on a machine that is busy.
    const timeoutMs = fault === "hang" ? 300 : fault === "hang in body" ? 4_000 : 20_000;
    const result = await sendHere(requestTo(hereUrl, { timeoutMs }));
    expect(result).toMatchObject(expected);
    expect(result.ms).toBeGreaterThanOrEqual(fault.startsWith("hang") ? timeoutMs - 10 : 0);
  });

  test("counts once its headers are there: its body is read for so long, and then left", async () => {
    receiver.answer("hang in body");
    const result = await sendHere(requestTo(hereUrl, { bodyMsMax: 50 }));
    expect(result).toMatchObject({ kind: "response", status: 200, body: "begun" });
    expect(result.ms).toBeLessThan(20_000);
  });

  test("that switches protocols is an error", async () => {
    receiver.answer({ status: 101, headers: { connection: "upgrade", upgrade: "websocket" } });
    expect(await sendHere(requestTo(hereUrl))).toMatchObject({ kind: "error", error: "connection" });
  });

  test("has every header by its lower-case name, and a body without a part of a character", async () => {
    receiver.answer({ status: 503, headers: { "Retry-After": "7", "X-Other": "a" }, body: `x${"é".repeat(600)}` });
    expect(await sendHere(requestTo(hereUrl))).toMatchObject({
      status: 503,
      headers: { "retry-after": "7", "x-other": "a" },
      body: `x${"é".repeat(499)}`,
    });
  });

  test("never comes from headers that cannot be sent, and their secret is in no detail", async () => {
    const result = await sendHere(requestTo(hereUrl, { headers: { authorization: "hunter2\r\nx: y" } }));
    expect(result).toMatchObject({ kind: "error", error: "connection" });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });
});

describe("TLS", () => {
  test("is verified, without a proxy, whatever the environment says", async ({ onTestFinished, skip }) => {
    if (!hasOpenssl()) return skip();
    const { ca, cert, key } = makeCertificates();
    const files = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
    const secure = await startReceiver({ tls: files, host: "0.0.0.0" });
    onTestFinished(() => secure.close());
    const url = `https://127.0.0.1:${secure.port}/`;
    expect(await sendHere(requestTo(url))).toMatchObject({
      error: "tls",
      detail: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    const notTls = `https://127.0.0.1:${receiver.port}/`;
    expect(await sendHere(requestTo(notTls))).toMatchObject({ error: "tls" });

    // What a process reads from its environment, it reads at its start.
    const program = `
      import { makeSendOutbound } from "#delivery/couriers/send-outbound.ts";
      const send = makeSendOutbound({ allowPrivate: ["127.0.0.0/8"] });
      const request = ${JSON.stringify(requestTo(""))};
      const results = await Promise.all(process.argv.slice(1).map((url) => send({ ...request, url })));
      console.log(JSON.stringify(results));
    `;
    const hosts = ["127.0.0.1", "localhost", "127.0.0.2"].map((host) => `https://${host}:${secure.port}/`);
    const run = promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", program, ...hosts], {
      env: {
        PATH: process.env["PATH"],
        NODE_EXTRA_CA_CERTS: ca,
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
        NODE_USE_ENV_PROXY: "1",
        HTTPS_PROXY: other.url,
        HTTP_PROXY: other.url,
      },
    });
    expect(JSON.parse((await run).stdout)).toMatchObject([
      { status: 204 },
      { status: 204 },
      { error: "tls", detail: "The certificate is for another host name." },
    ]);
    expect(other.connections()).toBe(0);
  });

  test("that is not set up within 5 s is a timeout", async ({ onTestFinished }) => {
    const silent = createServer((socket) => void socket.on("error", () => {}).resume());
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const result = await sendHere(requestTo(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`));
    expect(result).toMatchObject({ error: "timeout", detail: "No connection was made within 5 s." });
  });
});

describe("a fixed service", () => {
  test("may be anywhere, its connections are used again, and nothing else is reached", async () => {
    const send = makeSendToService({ serviceUrl: `${other.url}/api` });
    for (let count = 0; count < 3; count++)
      expect(await send(requestTo(`${other.url}/api/things`))).toMatchObject({ status: 204 });
    expect(other.connections()).toBe(1);
    const before = receiver.connections();
    for (const url of [hereUrl, "https://example.com/", "nonsense"])
      expect(await send(requestTo(url))).toMatchObject({ error: "blocked_address" });
    expect(receiver.connections()).toBe(before);
  });
});
