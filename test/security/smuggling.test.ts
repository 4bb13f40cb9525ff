// Requests that two servers could read differently: none of them is served, and what hides in them is never applied.
import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { awardText, bearer, requestText, type Header } from "../support/raw-http.ts";
import { useRawHttp } from "../support/raw-http-suite.ts";

const rawHttp = await useRawHttp();

/** A good award for a member that must never come to be. */
const hidden = awardText(rawHttp.clan, "hidden", '{"amount":1}');
const readText = requestText("GET", `/v0/clans/${rawHttp.clan.clanId}`, [bearer(rawHttp.clan)]);
/** A batch of none with these framing headers: served, it would change nothing. */
const carrier = (framing: string, version = "1.1"): string =>
  `POST /v0/clans/${rawHttp.clan.clanId}/xp HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${rawHttp.clan.key}\r\nContent-Type: application/json\r\n${framing}\r\n`;

describe("a request with an ambiguous end and a hidden award gets a bare 400 and a closed connection:", () => {
  const chunked = "Transfer-Encoding: chunked\r\n";
  const ambiguous: [string, string][] = [
    ["a Content-Length and chunks", `${carrier(`Content-Length: 4\r\n${chunked}`)}0\r\n\r\n${hidden}`],
    ["chunks and a Content-Length", `${carrier(`${chunked}Content-Length: 4\r\n`)}0\r\n\r\n${hidden}`],
    ["two Content-Lengths", `${carrier("Content-Length: 0\r\nContent-Length: 2\r\n")}${hidden}`],
    ["two equal Content-Lengths", `${carrier("Content-Length: 2\r\nContent-Length: 2\r\n")}{}${hidden}`],
    ["a list of Content-Lengths", `${carrier("Content-Length: 2, 2\r\n")}{}${hidden}`],
    ["a Content-Length with a sign", `${carrier("Content-Length: +2\r\n")}{}${hidden}`],
    ["a hexadecimal Content-Length", `${carrier("Content-Length: 0x2\r\n")}{}${hidden}`],
    ["an unknown transfer coding", `${carrier("Transfer-Encoding: xchunked\r\n")}0\r\n\r\n${hidden}`],
    ["chunks before another coding", `${carrier("Transfer-Encoding: chunked, identity\r\n")}0\r\n\r\n${hidden}`],
    ["another coding before chunks", `${carrier("Transfer-Encoding: gzip, chunked\r\n")}0\r\n\r\n${hidden}`],
    ["chunks twice", `${carrier(`${chunked}${chunked}`)}0\r\n\r\n${hidden}`],
    ["chunks in HTTP/1.0", `${carrier(`Connection: keep-alive\r\n${chunked}`, "1.0")}0\r\n\r\n${hidden}`],
    ["a space before the colon", `${carrier("Transfer-Encoding : chunked\r\n")}0\r\n\r\n${hidden}`],
    ["a folded header", `${carrier("X-Folded: a\r\n Transfer-Encoding: chunked\r\n")}0\r\n\r\n${hidden}`],
    ["a header that begins folded", `GET / HTTP/1.1\r\n Host: x\r\n\r\n${hidden}`],
    ["a bare line feed", `${carrier("X: a\nTransfer-Encoding: chunked\r\n")}0\r\n\r\n${hidden}`],
    ["a bare carriage return", `${carrier("X: a\rTransfer-Encoding: chunked\r\n")}0\r\n\r\n${hidden}`],
    ["an end of headers in bare line feeds", `${carrier("X: a\r\n\n").slice(0, -2)}${hidden}`],
    ["a vertical tab around the coding", `${carrier("Transfer-Encoding: \x0bchunked\r\n")}0\r\n\r\n${hidden}`],
    ["a chunk size with 0x", `${carrier(chunked)}0x2\r\n{}\r\n0\r\n\r\n${hidden}`],
    ["a chunk size and a space", `${carrier(chunked)}2 \r\n{}\r\n0\r\n\r\n${hidden}`],
    ["a chunk size and a bare line feed", `${carrier(chunked)}2\n{}\r\n0\r\n\r\n${hidden}`],
    ["a chunk longer than its size", `${carrier(chunked)}1\r\n{}\r\n0\r\n\r\n${hidden}`],
    ["a chunk size beyond 64 bits", `${carrier(chunked)}fffffffffffffffff2\r\n{}\r\n0\r\n\r\n${hidden}`],
    ["two hosts", `${carrier("Host: y\r\nContent-Length: 2\r\n")}{}${hidden}`],
  ];
  test.for(ambiguous)("%s", async ([, text]) => {
    const line = await rawHttp.open();
    line.write(text);
    expect(await line.reply()).toMatchObject({ status: 400, body: "" });
    expect(await line.closed()).toBe("");
  });
});

describe("the content of a body is never parsed as a request,", () => {
  test("even if it belongs to a GET", async () => {
    const line = await rawHttp.open();
    const get = requestText("GET", `/v0/clans/${rawHttp.clan.clanId}`, [bearer(rawHttp.clan)], hidden);
    line.write(get + get);
    for (const _ of [1, 2]) expectResponse("read-clan", await line.reply());
  });

  test("even if its request was rejected before the body was read", async () => {
    const line = await rawHttp.open();
    line.write(requestText("POST", `/v0/clans/${rawHttp.clan.clanId}/xp`, [], hidden) + requestText("GET", "/nowhere"));
    expectProblem(await line.reply(), 401, "key_missing");
    expectProblem(await line.reply(), 404, "not_found");
  });

  test("even if its method has no body", async () => {
    const line = await rawHttp.open();
    for (const method of ["DELETE", "OPTIONS", "TRACE"]) line.write(requestText(method, "/nowhere", [], hidden));
    for (const _ of [1, 2, 3]) expectProblem(await line.reply(), 404, "not_found");
  });
});

test("each request of a connection requires an API key, whoever used the connection before", async () => {
  const line = await rawHttp.open();
  line.write(readText + requestText("GET", `/v0/clans/${rawHttp.clan.clanId}`));
  expectResponse("read-clan", await line.reply());
  expectProblem(await line.reply(), 401, "key_missing");
});

test("500 pipelined requests on one connection are answered in order", async () => {
  const line = await rawHttp.open();
  const count = 500;
  line.write(readText.repeat(count));
  const numbers: number[] = [];
  for (let read = 0; read < count; read += 1) {
    const id = (await line.reply()).headers.get("request-id") ?? "";
    numbers.push(Number.parseInt(id.slice("req_".length + 8), 36));
  }
  expect(numbers).toStrictEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
});

test("a header after hundreds of others is read, and beyond the limit the response is a bare 431", async () => {
  for (const count of [10, 500, 900, 1_000, 2_000, 4_000]) {
    const many = Array.from({ length: count }, (): Header => ["A", "1"]);
    const line = await rawHttp.open();
    line.write(requestText("GET", `/v0/clans/${rawHttp.clan.clanId}`, [...many, bearer(rawHttp.clan)]));
    const reply = await line.reply();
    if (count <= 500) expectResponse("read-clan", reply);
    else expect([200, 431]).toContain(reply.status);
  }
});
