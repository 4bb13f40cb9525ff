import { afterAll, beforeAll, expect, test } from "vitest";
import { ClanXp } from "../../../clients/typescript/src/index.ts";
import { problem, startStandIn, type StandIn } from "./stand-in.ts";

let peer: StandIn;
let clan: ClanXp;
beforeAll(async () => {
  const state = { reversalId: "rev_1", status: "done", by: { batchId: "bat_1" }, selected: 3, reversed: 2, skipped: 1 };
  peer = await startStandIn(({ method, path, body }, number) => {
    if (method === "GET") return path.endsWith("/rev_1") ? { body: state } : problem(404, "reversal_not_found");
    if (body.dryRun) return { body: { awards: 3, members: 2, amount: "150" } };
    return number === 1 ? problem(503, "busy") : { status: 202, body: { reversalId: "rev_1", status: "queued" } };
  });
  clan = new ClanXp({ baseUrl: peer.url, clanId: "rovers", apiKey: "cxp_key" });
});
afterAll(() => peer.close());

test("a reversal is previewed, submitted once in any number of attempts, and read", async () => {
  const by = { matchId: "81", from: "2026-11-22T00:00:00Z" };
  expect(await clan.previewReversal(by)).toStrictEqual({ awards: 3, members: 2, amount: "150" });
  expect(await clan.reverse(by, { reason: "cheating" })).toStrictEqual({ reversalId: "rev_1", status: "queued" });
  expect(await clan.reverse({ batchId: "bat_1" }, { idempotencyKey: "r1" })).toMatchObject({ reversalId: "rev_1" });
  expect(await clan.reversal("rev_1")).toMatchObject({ status: "done", selected: 3, reversed: 2, skipped: 1 });
  await expect(clan.reversal("rev_2")).rejects.toMatchObject({
    code: "reversal_not_found",
    status: 404,
    retryable: false,
  });

  const posts = peer.received.filter(({ method }) => method === "POST");
  expect(posts.map(({ path, body }) => [path, body])).toStrictEqual(
    [{ by, dryRun: true }, { by, reason: "cheating" }, { by, reason: "cheating" }, { by: { batchId: "bat_1" } }].map(
      (body) => ["/v0/clans/rovers/reversals", body],
    ),
  );
  const keys = posts.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toStrictEqual([undefined, expect.any(String), keys[1], "r1"]);
});
