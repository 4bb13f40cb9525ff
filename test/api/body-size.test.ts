import { describe, expect, test } from "vitest";
import { expectResponse, expectProblem } from "../support/responses.ts";
import type { Reply } from "../support/http.ts";
import { awardText, chunkText, CHUNKED, exchange } from "../support/raw-http.ts";
import { expectUnharmed } from "../support/unharmed.ts";
import { useApi } from "../support/use-api.ts";

const KIB = 1024;

describe("a body", async () => {
  const { port, clan } = await useApi();

  /** A good award of exactly so many bytes. */
  const awardOf = (bytes: number): string => '{"amount":1}'.padEnd(bytes);
  const chunked = (body: string): string => (body.match(/[^]{1,30000}/g) ?? []).map(chunkText).join("") + chunkText("");

  const withLength = (platformId: string, body: string): Promise<Reply> =>
    exchange(port, awardText(clan, platformId, body));
  const inChunks = (platformId: string, body: string): Promise<Reply> =>
    exchange(port, awardText(clan, platformId, chunked(body), CHUNKED));

  for (const [how, post] of [
    ["with a Content-Length", withLength],
    ["in chunks", inChunks],
  ] as const) {
    test(`${how} is read up to 262,144 bytes, and rejected with 413 body_too_large beyond`, async () => {
      expectResponse("apply-award", await post("good", awardOf(256 * KIB)));
      expectProblem(await post("bad", awardOf(256 * KIB + 1)), 413, "body_too_large");
      await expectUnharmed(clan);
    });
  }

  test("is measured in bytes, not in characters", async () => {
    const award = (euros: number): string => JSON.stringify({ awards: [], note: "€".repeat(euros) });
    const room = 256 * KIB - Buffer.byteLength(award(0));
    expect((await clan.post("/xp", award(Math.floor(room / 3)), { prefer: "respond-async" })).status).toBe(200);
    expectProblem(await clan.post("/xp", award(Math.floor(room / 3) + 1)), 413, "body_too_large");
  });

  test("is read with 500 awards in a batch, and rejected with 413 too_many_awards with 501", async () => {
    const awards = (count: number): object[] =>
      Array.from({ length: count }, () => ({ platformId: "p".repeat(64), amount: 0 }));
    expect((await clan.submit(awards(500), { prefer: "respond-async" })).status).toBe(202);
    expectProblem(await clan.submit(awards(501)), 413, "too_many_awards");
    expectProblem(await clan.submit(Array.from({ length: 5_000 }, () => null)), 413, "too_many_awards");
    await expectUnharmed(clan);
  });
});
