import { describe, expect, test } from "vitest";
import type { ErrorCode } from "#kernel/error-code.ts";
import { expectResponse, expectProblem } from "../support/responses.ts";
import type { Reply } from "../support/http.ts";
import {
  awardText,
  bearer,
  chunkText,
  CHUNKED,
  exchange,
  JSON_TYPE,
  requestText,
  type Header,
  type Line,
} from "../support/raw-http.ts";
import { useRawHttp } from "../support/raw-http-suite.ts";

const rawHttp = await useRawHttp();
const EXPECT: Header = ["Expect", "100-continue"];

describe("an error response does not wait for the request body", () => {
  const HUGE: Header = ["Content-Length", "1000000000"];
  const [path, ofClan] = [rawHttp.xpPath("bad"), bearer(rawHttp.clan)];
  const early: [why: string, number, ErrorCode, path: string, headers: Header[]][] = [
    ["a missing key", 401, "key_missing", path, [JSON_TYPE, HUGE]],
    ["another clan", 403, "key_clan_mismatch", "/v0/clans/other/xp", [ofClan, JSON_TYPE, HUGE]],
    ["the announced length", 413, "body_too_large", path, [ofClan, JSON_TYPE, HUGE]],
    ["the media type", 415, "unsupported_media_type", path, [ofClan, ["Content-Type", "text/plain"], CHUNKED]],
    ["a missing key, without asking for the body", 401, "key_missing", path, [EXPECT, HUGE]],
  ];
  test.for(early)("for %s, %d %s, while no byte of the body has arrived", async ([, status, code, target, headers]) => {
    const line = await rawHttp.open();
    line.write(requestText("POST", target, headers));
    expectProblem(await line.reply(), status, code);
  });

  for (const expectation of ["100-continue", "100-Continue", "something-else, 100-continue"]) {
    test(`but Expect: ${expectation} asks an accepted caller for the body`, async () => {
      const line = await rawHttp.open();
      line.write(awardText(rawHttp.clan, "good", "", ["Expect", expectation], ["Content-Length", "12"]));
      expect(await line.reply()).toMatchObject({ status: 100 });
      line.write('{"amount":0}');
      expectResponse("apply-award", await line.reply());
    });
  }

  test("and Expect: 100-continue is ignored in HTTP/1.0, which has no interim responses", async () => {
    const award = awardText(rawHttp.clan, "good", '{"amount":0}', EXPECT);
    expectResponse("apply-award", await exchange(rawHttp.port, award.replace("HTTP/1.1", "HTTP/1.0")));
  });

  test("and other values of Expect are ignored", async () => {
    const award = awardText(rawHttp.clan, "good", '{"amount":0}', ["Expect", "a-miracle"]);
    expectResponse("apply-award", await exchange(rawHttp.port, award));
  });

  /** All of it is sent before the response is read. The API reads on for 2 s: who was slower tries again. */
  async function sendFirst(text: string): Promise<Reply> {
    for (;;) {
      const line = await rawHttp.open();
      const startedAtMs = performance.now();
      try {
        await line.writeFirst(text);
        return await line.reply();
      } catch (error) {
        if (performance.now() - startedAtMs < 2_000) throw error;
      }
    }
  }

  test("and reaches a caller who sends 30 MB before reading", async () => {
    for (const [headers, status] of [
      [[JSON_TYPE], 401],
      [[bearer(rawHttp.clan), JSON_TYPE], 413],
    ] as const) {
      const text = requestText("POST", rawHttp.xpPath("bad"), headers, " ".repeat(30_000_000));
      expect((await sendFirst(text)).status).toBe(status);
    }
  });

  /** Chunks without an end; resolves when the server has hung up. */
  async function pour(line: Line, expectRejection: (reply: Reply) => void): Promise<void> {
    const startedAtMs = performance.now();
    const chunk = chunkText(" ".repeat(64 * 1024));
    const pouring = setInterval(() => line.write(chunk), 1);
    try {
      expectRejection(await line.reply());
      await line.closed();
    } finally {
      clearInterval(pouring);
    }
    // Not only by the deadline that all requests have.
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  }

  test("and closes the connection with 413 as soon as an endless body is too long", async () => {
    const line = await rawHttp.open();
    line.write(awardText(rawHttp.clan, "bad", "", CHUNKED));
    await pour(line, (reply) => expectProblem(reply, 413, "body_too_large"));
  });

  test("and closes the connection with 401 immediately for an endless body without a key", async () => {
    const line = await rawHttp.open();
    line.write(requestText("POST", rawHttp.xpPath("bad"), [CHUNKED]));
    await pour(line, (reply) => expectProblem(reply, 401, "key_missing"));
  });
});
