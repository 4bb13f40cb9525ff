import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { actsInTime } from "../support/acts-in-time.ts";
import { expectResponse, expectProblem } from "../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { checksumOf, forgeKey } from "../support/key-checksum.ts";
import { bearer, JSON_TYPE, openLine, requestText, type Header, type Line } from "../support/raw-http.ts";
import { testActor } from "../support/actor.ts";
import { until } from "../support/until.ts";
import { useApi } from "../support/use-api.ts";

const { world, port, clan } = await useApi();

/** Where a body may be pending for as long as it takes until a change is known. */
const { port: patientPort } = await world.startApi({ deadlines: { checkEveryMs: 120_000 } });

/** A connection whose request has a good key, and whose body is asked for. */
async function letInBeforeBody({ clanId }: ClanCaller, key: string, path: string, body: string): Promise<Line> {
  const line = await openLine(patientPort);
  const headers: Header[] = [
    ["Content-Length", String(body.length)],
    ["Expect", "100-continue"],
  ];
  line.write(requestText("POST", `/v0/clans/${clanId}${path}`, [bearer({ key }), JSON_TYPE, ...headers]));
  expect((await line.reply()).status).toBe(100);
  return line;
}

describe("an API key", () => {
  test("is rejected on every API within 1 s after revocation, and a wrong secret does not reveal the revocation", async () => {
    const [second, withoutRedis] = await Promise.all([
      world.startApi(),
      world.startApi({ config: { redisUrl: "redis://127.0.0.1:1" } }),
    ]);
    const own = await makeClanCaller(world, port);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const callers = [port, second.port, withoutRedis.port].map((at) => own.on(at).with(secret));
    for (const caller of callers) expectResponse("read-clan", await caller.get(""));

    await world.keys.revoke(keyId, new Date(), testActor);
    await Promise.all(callers.map((caller) => actsInTime(async () => (await caller.get("")).status !== 200)));
    for (const caller of callers) expectProblem(await caller.get(""), 401, "key_revoked");
    expectProblem(await own.with(forgeKey(clan.key, { keyId, secret: "0".repeat(33) })).get(""), 401, "key_invalid");
    expectResponse("read-clan", await own.get(""));
  });

  test("that is revoked while a body is pending is rejected when the body arrives, and nothing is applied", async () => {
    const own = await makeClanCaller(world, patientPort);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const body = '{"amount":7}';
    const paths = ["/members/m/xp", "/xp"];
    const lines = await Promise.all(paths.map((path) => letInBeforeBody(own, secret, path, body)));
    await world.keys.revoke(keyId, new Date(), testActor);
    await until(async () => (await own.with(secret).get("")).status !== 200);
    for (const line of lines) {
      line.write(body);
      expectProblem(await line.reply(), 401, "key_revoked");
      line.destroy();
    }
    expectProblem(await own.get("/members/m"), 404, "member_not_found");
  });

  test("that is limited while a body is pending has the new rate when the body arrives", async () => {
    const own = await makeClanCaller(world, patientPort);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const body = JSON.stringify({ awards: Array.from({ length: 5 }, () => ({ platformId: "m", amount: 7 })) });
    const line = await letInBeforeBody(own, secret, "/awards", body);
    const policyNow = '"requests";q=2000;w=4, "awards";q=4;w=4';
    await world.keys.limit(keyId, { awardsPerSecond: 1 }, testActor);
    await until(async () => (await own.with(secret).get("")).headers.get("ratelimit-policy") === policyNow);
    line.write(body);
    const reply = await line.reply();
    expectProblem(reply, 429, "rate_limited");
    expect(reply.headers.get("ratelimit-policy")).toBe(policyNow);
    line.destroy();
    expectProblem(await own.get("/members/m"), 404, "member_not_found");
  });

  test("that expired is rejected with 401 key_expired, but with key_invalid for a wrong secret", async () => {
    const { keyId, secret } = await world.makeKey(clan.clanId, undefined, new Date(Date.now() - 1));
    expectProblem(await clan.with(secret).get(""), 401, "key_expired");
    expectProblem(await clan.with(forgeKey(clan.key, { keyId, secret: "1".repeat(33) })).get(""), 401, "key_invalid");
  });

  test("with an expiry is accepted before it, and rejected with 401 key_expired after it", async () => {
    const own = await makeClanCaller(world, port);
    // Longer each time, until it can be used before it ends.
    for (let lifeMs = 400; ; lifeMs *= 3) {
      const { secret } = await world.makeKey(own.clanId, undefined, new Date(Date.now() + lifeMs));
      const read = () => own.with(secret).get("");
      const isServed = (await read()).status === 200;
      await until(async () => (await read()).status !== 200);
      expectProblem(await read(), 401, "key_expired");
      if (isServed) return;
    }
  });

  test("has its last use recorded before its API process exits", async () => {
    const passing = await world.startApi();
    const own = await makeClanCaller(world, passing.port);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const beforeMs = Date.now();
    expectResponse("read-clan", await own.with(secret).get(""));
    await passing.close();
    expect((await world.keys.read(keyId))?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(beforeMs);
  });
});

describe("the text of an API key", () => {
  test("is cxp_<keyId>_<secret><checksum>, base62, with at least 190 random bits and a CRC-32 in 6 characters", async () => {
    const own = await makeClanCaller(world, port);
    const issued = [
      own.key,
      ...(await Promise.all(Array.from({ length: 4 }, async () => (await world.makeKey(own.clanId)).secret))),
    ];
    for (const text of issued) {
      const [, keyId = "", secret = "", checksum] =
        /^cxp_([0-9A-Za-z]+)_([0-9A-Za-z]+)([0-9A-Za-z]{6})$/.exec(text) ?? [];
      expect(checksum).toBe(checksumOf(`cxp_${keyId}_${secret}`));
      expect(secret.length * Math.log2(62)).toBeGreaterThanOrEqual(190);
    }
    expect(new Set(issued).size).toBe(issued.length);
  });

  test("is not stored, only its SHA-256 hash", async () => {
    const own = await makeClanCaller(world, port);
    const { keyId, secret } = await world.makeKey(own.clanId);
    const stored = await world.keys.read(keyId);
    expect(stored?.hash).toBe(createHash("sha256").update(secret).digest("base64url"));
    const documents = await world.database.db().collection("keys").find().toArray();
    expect(JSON.stringify(documents)).not.toContain(secret.split("_")[2]?.slice(0, 33));
  });
});
