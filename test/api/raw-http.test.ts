import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import {
  awardText,
  bearer,
  chunkText,
  CHUNKED,
  exchange,
  JSON_TYPE,
  requestText,
  type Header,
} from "../support/raw-http.ts";
import { useRawHttp } from "../support/raw-http-suite.ts";

const rawHttp = await useRawHttp();

describe("a request target", () => {
  const foundNowhere = [
    ["OPTIONS", "*"],
    ["GET", "http://[bad/"],
    ["GET", "http://host:99999999/"],
    ["GET", "http://"],
    ["GET", "https://user:password@host/nowhere"],
    ["GET", "//v0/clans/x"],
    ["GET", "/\\v0"],
    ["GET", "/v0/clans/"],
    ["GET", "/%"],
    ["POST", "/v0/clans/x/batches"],
  ] as const;
  test.for(foundNowhere)("is rejected with 404 not_found and a complete problem: %s %s", async ([method, target]) => {
    expectProblem(await exchange(rawHttp.port, requestText(method, target)), 404, "not_found");
  });

  test("is reduced to its path if it is an absolute URL, even with another host", async () => {
    const target = `http://elsewhere.example:1/v0/clans/${rawHttp.clan.clanId}/members?limit=1`;
    const reply = await exchange(rawHttp.port, requestText("GET", target, [bearer(rawHttp.clan)]));
    expectResponse("list-members", reply);
  });

  test("is rejected with a bare 431 and a closed connection if it exceeds the header limit", async () => {
    const line = await rawHttp.open();
    line.write(requestText("GET", `/v0/clans/${"c".repeat(20_000)}`, [bearer(rawHttp.clan)]));
    expect(await line.reply()).toMatchObject({ status: 431, body: "" });
    expect(await line.closed()).toBe("");
  });
});

describe("malformed HTTP is rejected with a bare 400 and a closed connection:", () => {
  const get = "GET / HTTP/1.1\r\nHost: x\r\n";
  const post = "POST / HTTP/1.1\r\nHost: x\r\n";
  const broken: [string, string][] = [
    ["no HTTP", "hello\r\n\r\n"],
    ["a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown version", "GET / HTTP/3.7\r\nHost: x\r\n\r\n"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["a target without a path", "GET v0 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a space in the target", "GET /v0 x HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["an invalid method", "G(T / HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a header without a colon", `${get}Nonsense\r\n\r\n`],
    ["a space in a header's name", `${get}Api Key: x\r\n\r\n`],
    ["NUL in a header", `${get}Api-Key: a\0b\r\n\r\n`],
    ["a Content-Length that is no number", `${post}Content-Length: two\r\n\r\n{}`],
    ["a negative Content-Length", `${post}Content-Length: -2\r\n\r\n{}`],
    ["a Content-Length beyond 64 bits", `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`],
  ];
  test.for(broken)("%s", async ([, text]) => {
    const line = await rawHttp.open();
    line.write(Buffer.from(text, "latin1"));
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });

  test("an invalid chunk in the middle of a body", async () => {
    const line = await rawHttp.open();
    line.write(awardText(rawHttp.clan, "bad", `${chunkText('{"amount":')}zz\r\n`, CHUNKED));
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });

  test("data after an award on the same connection, while the award is applied and answered", async () => {
    const line = await rawHttp.open();
    line.write(`${awardText(rawHttp.clan, "good", '{"amount":0}')}nonsense\r\n\r\n`);
    expectResponse("apply-award", await line.reply());
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });

  test("data in many packets after a pending request, which is still answered", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    const line = await rawHttp.open();
    // No worker takes the batch.
    const waiting = [bearer(rawHttp.clan), JSON_TYPE, ["Prefer", "wait=2"]] satisfies Header[];
    line.write(
      `${requestText("POST", `/v0/clans/${rawHttp.clan.clanId}/xp`, waiting, '{"awards":[{}]}')}GET / HTTP/1.1\r\nA\x01`,
    );
    for (let packet = 0; packet < 200; packet += 1) {
      line.write("x");
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await line.reply()).status).toBe(202);
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
    process.off("warning", note);
    expect(warnings).not.toContain("MaxListenersExceededWarning");
  });

  test("a caller who disconnects in the middle of a body changes nothing", async () => {
    const line = await rawHttp.open();
    line.write(awardText(rawHttp.clan, "bad", '{"amount":1', ["Content-Length", "12"]));
    line.destroy();
    expect(await line.closed()).toBe("");
  });
});

describe("a slow request is rejected with a bare 408 and a closed connection:", async () => {
  const deadlines = { headersMs: 150, requestMs: 250, checkEveryMs: 20 };
  const { port: shortDeadlinePort } = await rawHttp.world.startApi({ deadlines });

  const slow: [string, string][] = [
    ["a connection without data", ""],
    ["headers that do not end", "POST /v0/clans/x HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["a body that never arrives", awardText(rawHttp.clan, "bad", "", ["Content-Length", "12"])],
    ["half a body", awardText(rawHttp.clan, "bad", '{"amount"', ["Content-Length", "12"])],
    ["chunks that do not end", awardText(rawHttp.clan, "bad", chunkText('{"amount":1}'), CHUNKED)],
  ];
  test("a body in small pieces, long before the time limit of the whole request", async () => {
    const { port } = await rawHttp.world.startApi({ deadlines: { requestMs: 120_000, checkEveryMs: 50 } });
    const line = await rawHttp.open(port);
    line.write(awardText(rawHttp.clan, "bad", '{"amount":', ["Content-Length", "5000"]));
    const trickle = setInterval(() => line.write(" "), 100);
    expect(await line.reply()).toMatchObject({ status: 408, body: "" });
    clearInterval(trickle);
    expect(await line.closed()).toBe("");
  });

  test.for(slow)("%s", async ([, text]) => {
    const line = await rawHttp.open(shortDeadlinePort);
    line.write(text);
    expect(await line.reply()).toMatchObject({ status: 408, body: "" });
    expect(await line.closed()).toBe("");
  });
});

describe("a connection", () => {
  test("carries pipelined requests, answered in order, including rejected requests with bodies", async () => {
    const line = await rawHttp.open();
    const members = ["good", "bad", "good", "bad", "good"];
    const bodies: Record<string, string> = { good: '{"amount":0}', bad: `{"amount":"${"x".repeat(100_000)}"}` };
    line.write(members.map((member) => awardText(rawHttp.clan, member, bodies[member] ?? "")).join(""));
    for (const member of members) {
      const reply = await line.reply();
      if (member === "good") expectResponse("apply-award", reply);
      else expectProblem(reply, 400, "invalid_request");
    }
  });

  test("is closed after an HTTP/1.0 request without a Host, which is answered", async () => {
    const line = await rawHttp.open();
    line.write(`GET /v0/clans/${rawHttp.clan.clanId} HTTP/1.0\r\nAuthorization: Bearer ${rawHttp.clan.key}\r\n\r\n`);
    expectResponse("read-clan", await line.reply());
    expect(await line.closed()).toBe("");
  });

  test("returns a different Request-Id with every response", async () => {
    const line = await rawHttp.open();
    const requests = [
      requestText("GET", `/v0/clans/${rawHttp.clan.clanId}`, [bearer(rawHttp.clan)]),
      requestText("GET", "/nowhere"),
      requestText("GET", `/v0/clans/${rawHttp.clan.clanId}`),
      requestText("PATCH", `/v0/clans/${rawHttp.clan.clanId}`, [bearer(rawHttp.clan)]),
      requestText("GET", "/docs/reference/errors.md"),
      awardText(rawHttp.clan, "bad", "nonsense"),
    ];
    line.write(requests.join(""));
    const ids = new Set<string | null>();
    for (const _ of requests) ids.add((await line.reply()).headers.get("request-id"));
    expect(ids.size).toBe(requests.length);
    expect(ids).not.toContain(null);
  });
});
