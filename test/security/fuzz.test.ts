// Requests generated from the contract and damaged: each gets a documented answer, and a rejected one changes nothing.
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { makeClanCaller } from "../support/clan-caller.ts";
import type { Reply } from "../support/http.ts";
import { openLine } from "../support/raw-http.ts";
import { garbledRequests, requestsTo, textOf, type DrawnRequest, type Keys } from "./arbitrary-requests.ts";
import { expectDocumented } from "./expect-documented.ts";
import { membersBesideTheirEntries, readStored } from "./stored.ts";
import { seedsFor } from "./seeds.ts";
import { testActor } from "../support/actor.ts";
import { until } from "../support/until.ts";
import { useApi } from "../support/use-api.ts";

/** Requests of one case: sent at the same time, so that they also conflict with each other. */
const AT_ONCE = 20;
const CASES_MS_MAX = 60_000;

describe("the API under fuzzing", { timeout: 120_000 }, async () => {
  let keys: Keys;
  const { world, port, clan } = await useApi({ worker: true });
  const foreign = await makeClanCaller(world, port);
  beforeAll(async () => {
    const [reader, revoked] = [await world.makeKey(clan.clanId, ["read"]), await world.makeKey(clan.clanId)];
    await world.keys.revoke(revoked.keyId, new Date(), testActor);
    // Limits would answer most of it.
    for (const key of [clan.key, reader.secret, foreign.key]) {
      await world.keys.limit(key.split("_")[1] ?? "", { requestsPerSecond: null, awardsPerSecond: null }, testActor);
    }
    keys = { ours: clan.key, reader: reader.secret, foreign: foreign.key, revoked: revoked.secret };
  });

  const seen = new Set<string>();
  const drawn = (): fc.Arbitrary<DrawnRequest> => requestsTo(clan.clanId, foreign.clanId, keys);

  for (const { seed, numRuns } of seedsFor(150)) {
    test(`answers ${numRuns * AT_ONCE} malformed requests as documented, and applies only 2xx ones (seed ${seed})`, async () => {
      const property = fc.asyncProperty(
        fc.array(drawn(), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (requests) => {
          const before = await readStored(world);
          const replies = await Promise.all(requests.map((request) => send(request)));
          for (const { status, body } of replies) seen.add(`${status} ${body?.code ?? ""}`.trim());
          for (const [index, reply] of replies.entries())
            expectDocumented(requests[index] ?? { method: "", target: "" }, reply);

          const accepted = replies
            .map((reply, index) => ({ ...reply, isKeyed: hasKey(requests[index]) }))
            .filter(({ status, headers }) => status < 300 && !headers.has("idempotency-replayed"));
          const after = await readStored(world);
          expect(after).toStrictEqual({
            settings: before.settings,
            entries: before.entries + accepted.reduce((sum, reply) => sum + entriesOf(reply), 0),
            batches: before.batches + accepted.filter(isRecorded).length,
          });
        },
      );
      await fc.assert(property, { seed, numRuns, plugins: [fc.interruptAfterTimeLimit(CASES_MS_MAX)] });
    });

    test(`answers ${numRuns * AT_ONCE} garbled byte streams or closes with 400, 408 or 431 (seed ${seed})`, async () => {
      const property = fc.asyncProperty(
        fc.array(garbledRequests(drawn()), { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (streams) => {
          for (const statuses of await Promise.all(streams.map(statusesOf))) {
            for (const status of statuses) expect([...BARE, ...ANSWERED]).toContain(status);
          }
        },
      );
      await fc.assert(property, { seed, numRuns, plugins: [fc.interruptAfterTimeLimit(CASES_MS_MAX)] });
    });
  }

  test("has received generated requests for every endpoint and every rejection", () => {
    expect([...seen]).toStrictEqual(expect.arrayContaining(["200", "202", ...DOORS]));
  });

  test("finishes every batch afterwards, has a consistent ledger, and serves valid requests", async () => {
    await until(async () => (await world.batches.backlog()).unfinished === 0);
    await expect.poll(() => membersBesideTheirEntries(world)).toStrictEqual([]);
    const before: string = (await clan.award("last", { amount: 1 })).body.xp;
    expect((await clan.award("last", { amount: 1 })).body.xp).toBe(String(BigInt(before) + 1n));
    // Its own key was drawn for it too: what it has came by that one.
    const { entries } = (await foreign.get("/members/a/ledger")).body;
    for (const entry of entries ?? []) expect(entry.keyId).toBe(foreign.key.split("_")[1]);
  });

  async function send(request: DrawnRequest): Promise<Reply> {
    const line = await openLine(port);
    try {
      line.write(textOf(request));
      return await line.reply({ bodiless: request.method === "HEAD" });
    } finally {
      line.destroy();
    }
  }

  /** Everything that comes back until the server hangs up, once nothing more is sent. */
  async function statusesOf(bytes: Uint8Array): Promise<number[]> {
    const line = await openLine(port);
    try {
      line.write(bytes);
      line.end();
      const received = await line.closed();
      return [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
    } finally {
      line.destroy();
    }
  }
});

/** Entries that this answer acknowledges, as it is to one award or to several: not to a batch, and not to a read. */
function entriesOf({ body, headers }: Reply): number {
  if (typeof body !== "object" || "batchId" in body || headers.has("deprecation")) return 0;
  if ("results" in body) return body.results.filter(({ status }: { status: string }) => status === "applied").length;
  return "xp" in body && !("membership" in body) ? 1 : 0;
}

function hasKey(request: DrawnRequest | undefined): boolean {
  return request?.headers.some(([name]) => name.toLowerCase() === "idempotency-key") ?? false;
}

/** Every batch but an empty one that nobody could ask for again. */
function isRecorded({ status, headers, body, isKeyed }: Reply & { isKeyed: boolean }): boolean {
  return headers.has("deprecation") && (isKeyed || status === 202 || body.results.length > 0);
}

const CODES = {
  400: ["invalid_json", "invalid_request"],
  401: ["key_missing", "key_invalid", "key_revoked"],
  403: ["key_clan_mismatch", "scope_missing"],
  404: ["not_found", "member_not_found", "batch_not_found"],
  405: ["method_not_allowed"],
  415: ["unsupported_media_type"],
  422: ["idempotency_key_reused"],
};
const DOORS = Object.entries(CODES).flatMap(([status, codes]) => codes.map((code) => `${status} ${code}`));
const BARE = [100, 400, 408, 431];
const ANSWERED = [200, 202, 401, 403, 404, 405, 413, 415, 422];
