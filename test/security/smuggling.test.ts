// Requests that two servers could read differently: none of them is served, and what hides in them is never applied.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { openLine, requestText, type Line } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
let port: number;
let clan: ClanCaller;
const lines: Line[] = [];
beforeAll(async () => {
  world = await makeWorld();
  ({ port } = await world.startApi());
  clan = await makeClanCaller(world, port);
});
afterEach(() => expectUnharmed(clan));
afterAll(async () => {
  for (const line of lines) line.destroy();
  await world.close();
});

async function open(): Promise<Line> {
  const line = await openLine(port);
  lines.push(line);
  return line;
}

/** A good award for a member that must never come to be. */
const hidden = (): string =>
  requestText(
    "POST",
    `/v0/clans/${clan.clanId}/members/hidden/xp`,
    [
      ["Authorization", `Bearer ${clan.key}`],
      ["Content-Type", "application/json"],
    ],
    '{"amount":1}',
  );
/** A batch of none with these framing headers: served, it would change nothing. */
const carrier = (framing: string, version = "1.1"): string =>
  `POST /v0/clans/${clan.clanId}/xp HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${clan.key}\r\nContent-Type: application/json\r\n${framing}\r\n`;

describe("a request with an ambiguous end and a hidden award gets a bare 400 and a closed connection:", () => {
  const chunked = "Transfer-Encoding: chunked\r\n";
  const ambiguous: [string, () => string][] = [
    ["a Content-Length and chunks", () => `${carrier(`Content-Length: 4\r\n${chunked}`)}0\r\n\r\n${hidden()}`],
    ["chunks and a Content-Length", () => `${carrier(`${chunked}Content-Length: 4\r\n`)}0\r\n\r\n${hidden()}`],
    ["two Content-Lengths", () => `${carrier("Content-Length: 0\r\nContent-Length: 2\r\n")}${hidden()}`],
    ["two equal Content-Lengths", () => `${carrier("Content-Length: 2\r\nContent-Length: 2\r\n")}{}${hidden()}`],
    ["a list of Content-Lengths", () => `${carrier("Content-Length: 2, 2\r\n")}{}${hidden()}`],
    ["a Content-Length with a sign", () => `${carrier("Content-Length: +2\r\n")}{}${hidden()}`],
    ["a hexadecimal Content-Length", () => `${carrier("Content-Length: 0x2\r\n")}{}${hidden()}`],
    ["an unknown transfer coding", () => `${carrier("Transfer-Encoding: xchunked\r\n")}0\r\n\r\n${hidden()}`],
    [
      "chunks before another coding",
      () => `${carrier("Transfer-Encoding: chunked, identity\r\n")}0\r\n\r\n${hidden()}`,
    ],
    ["another coding before chunks", () => `${carrier("Transfer-Encoding: gzip, chunked\r\n")}0\r\n\r\n${hidden()}`],
    ["chunks twice", () => `${carrier(`${chunked}${chunked}`)}0\r\n\r\n${hidden()}`],
    ["chunks in HTTP/1.0", () => `${carrier(`Connection: keep-alive\r\n${chunked}`, "1.0")}0\r\n\r\n${hidden()}`],
    ["a space before the colon", () => `${carrier("Transfer-Encoding : chunked\r\n")}0\r\n\r\n${hidden()}`],
    ["a folded header", () => `${carrier("X-Folded: a\r\n Transfer-Encoding: chunked\r\n")}0\r\n\r\n${hidden()}`],
    ["a header that begins folded", () => `GET / HTTP/1.1\r\n Host: x\r\n\r\n${hidden()}`],
    ["a bare line feed", () => `${carrier("X: a\nTransfer-Encoding: chunked\r\n")}0\r\n\r\n${hidden()}`],
    ["a bare carriage return", () => `${carrier("X: a\rTransfer-Encoding: chunked\r\n")}0\r\n\r\n${hidden()}`],
    ["an end of headers in bare line feeds", () => `${carrier("X: a\r\n\n").slice(0, -2)}${hidden()}`],
    ["a vertical tab around the coding", () => `${carrier("Transfer-Encoding: \x0bchunked\r\n")}0\r\n\r\n${hidden()}`],
    ["a chunk size with 0x", () => `${carrier(chunked)}0x2\r\n{}\r\n0\r\n\r\n${hidden()}`],
    ["a chunk size and a space", () => `${carrier(chunked)}2 \r\n{}\r\n0\r\n\r\n${hidden()}`],
    ["a chunk size and a bare line feed", () => `${carrier(chunked)}2\n{}\r\n0\r\n\r\n${hidden()}`],
    ["a chunk longer than its size", () => `${carrier(chunked)}1\r\n{}\r\n0\r\n\r\n${hidden()}`],
    ["a chunk size beyond 64 bits", () => `${carrier(chunked)}fffffffffffffffff2\r\n{}\r\n0\r\n\r\n${hidden()}`],
    ["two hosts", () => `${carrier("Host: y\r\nContent-Length: 2\r\n")}{}${hidden()}`],
  ];
  test.for(ambiguous)("%s", async ([, text]) => {
    const line = await open();
    line.write(text());
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });
});

describe("the content of a body is never parsed as a request,", () => {
  test("even if it belongs to a GET", async () => {
    const line = await open();
    const get = requestText("GET", `/v0/clans/${clan.clanId}`, [["Authorization", `Bearer ${clan.key}`]], hidden());
    line.write(get + get);
    for (const _ of [1, 2]) expectResponse("read-clan", await line.reply());
  });

  test("even if its request was rejected before the body was read", async () => {
    const line = await open();
    line.write(requestText("POST", `/v0/clans/${clan.clanId}/xp`, [], hidden()) + requestText("GET", "/nowhere"));
    expectProblem(await line.reply(), 401, "key_missing");
    expectProblem(await line.reply(), 404, "not_found");
  });

  test("even if its method has no body", async () => {
    const line = await open();
    for (const method of ["DELETE", "OPTIONS", "TRACE"]) line.write(requestText(method, "/nowhere", [], hidden()));
    for (const _ of [1, 2, 3]) expectProblem(await line.reply(), 404, "not_found");
  });
});

test("each request of a connection requires an API key, whoever used the connection before", async () => {
  const line = await open();
  const path = `/v0/clans/${clan.clanId}`;
  line.write(requestText("GET", path, [["Authorization", `Bearer ${clan.key}`]]) + requestText("GET", path));
  expectResponse("read-clan", await line.reply());
  expectProblem(await line.reply(), 401, "key_missing");
});

test("500 pipelined requests on one connection are answered in order", async () => {
  const line = await open();
  const members = Array.from({ length: 500 }, (_, index) => `m${index}`);
  line.write(
    members
      .map((member) =>
        requestText("GET", `/v0/clans/${clan.clanId}/${member}`, [["Authorization", `Bearer ${clan.key}`]]),
      )
      .join(""),
  );
  const ids: string[] = [];
  for (const _ of members) ids.push((await line.reply()).headers.get("request-id") ?? "");
  const numbers = ids.map((id) => Number.parseInt(id.slice("req_".length + 8), 36));
  expect(numbers).toStrictEqual(members.map((_, index) => (numbers[0] ?? 0) + index));
});

test("a header after hundreds of others is read, and beyond the limit the response is a bare 431", async () => {
  for (const count of [10, 100, 500, 900, 1_000, 1_500, 2_000, 2_100, 4_000]) {
    const many = Array.from({ length: count }, (): [string, string] => ["A", "1"]);
    const line = await open();
    line.write(requestText("GET", `/v0/clans/${clan.clanId}`, [...many, ["Authorization", `Bearer ${clan.key}`]]));
    const reply = await line.reply();
    if (count <= 500) expectResponse("read-clan", reply);
    else expect([200, 431]).toContain(reply.status);
  }
});
