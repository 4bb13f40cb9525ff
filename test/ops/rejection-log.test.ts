// What an operator learns of requests that were rejected for their key: which key, which clan, from where; never a
// secret.
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startProcess } from "../support/processes.ts";
import { expectProblem } from "../support/responses.ts";
import { makeClanCaller } from "../support/clan-caller.ts";
import { checksumOf } from "../support/key-checksum.ts";
import { useWorld } from "../support/use-api.ts";
import { testActor } from "../support/actor.ts";

const Line = z.looseObject({
  msg: z.string(),
  code: z.string().optional(),
  keyId: z.string().nullish(),
  suppressed: z.number().optional(),
});

const world = await useWorld();

test("401, 403 and 429 are logged once per key, code and second, with the number of suppressed lines and no secret", async () => {
  const api = startProcess("api", { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  onTestFinished(async () => void (await api.stop()));
  const clan = await makeClanCaller(world, (await api.ready()).port);
  const revoked = await world.makeKey(clan.clanId);
  await world.keys.revoke(revoked.keyId, new Date(), testActor);
  const reader = await world.makeKey(clan.clanId, ["read"]);
  const limited = await world.makeKey(clan.clanId);
  await world.keys.limit(limited.keyId, { requestsPerSecond: 1, awardsPerSecond: null }, testActor);
  const other = await makeClanCaller(world, 1);
  const planted = `planted-${"x".repeat(5_000)}`;

  const first = await clan.with(revoked.secret).get("");
  expectProblem(first, 401, "key_revoked");
  const revokedRequestId = first.headers.get("request-id");
  for (let sent = 1; sent < 20; sent += 1) expectProblem(await clan.with(revoked.secret).get(""), 401, "key_revoked");
  expectProblem(await clan.with(reader.secret).post("/members/m/xp", { amount: 1 }), 403, "scope_missing");
  expectProblem(await clan.with(other.key).get(""), 403, "key_clan_mismatch");
  expectProblem(await clan.with(planted).get(""), 401, "key_invalid");
  expectProblem(await clan.with(null).get(""), 401, "key_missing");
  const statuses = [];
  for (let sent = 0; sent < 10; sent += 1) statuses.push((await clan.with(limited.secret).get("")).status);
  expect(statuses).toContain(429);
  // Anyone can make up key ids: they get some lines, and not one each.
  const madeUp = Array.from({ length: 300 }, () => `cxp_${randomBytes(8).toString("hex")}_${"0".repeat(33)}`);
  await Promise.all(madeUp.map((body) => clan.with(body + checksumOf(body)).get("")));

  expect(await api.stop()).toBe(0);
  const output = api.output();
  const lines = output.split("\n").flatMap((line) => (line === "" ? [] : [Line.parse(JSON.parse(line))]));
  const rejected = lines.filter(({ msg }) => msg === "request.rejected");
  const linesOf = (code: string, keyId: string | null): z.infer<typeof Line>[] =>
    rejected.filter((line) => line.code === code && line.keyId === keyId);
  const counted = (some: z.infer<typeof Line>[]): number =>
    some.reduce((sum, { suppressed = 0 }) => sum + 1 + suppressed, 0);

  expect(counted(linesOf("key_revoked", revoked.keyId))).toBe(20);
  expect(linesOf("key_revoked", revoked.keyId).length).toBeLessThan(20);
  expect(linesOf("key_revoked", revoked.keyId)[0]).toMatchObject({
    level: 30,
    clanId: clan.clanId,
    address: expect.stringMatching(/127\.0\.0\.1$/),
    requestId: revokedRequestId,
  });
  expect(counted(linesOf("scope_missing", reader.keyId))).toBe(1);
  expect(linesOf("key_clan_mismatch", other.key.split("_")[1] ?? "")).toMatchObject([{ clanId: other.clanId }]);
  expect(counted(linesOf("key_invalid", null))).toBe(1);
  expect(counted(linesOf("key_missing", null))).toBe(1);
  expect(counted(linesOf("rate_limited", limited.keyId))).toBe(statuses.filter((status) => status === 429).length);
  const unlisted = lines.filter(({ msg }) => msg === "request.rejections_suppressed");
  expect(counted(rejected.filter(({ code }) => code === "key_invalid")) + counted(unlisted) - unlisted.length).toBe(
    301,
  );
  for (const { secret } of [revoked, reader, limited]) expect(output).not.toContain(secret.slice(-39));
  expect(output).not.toContain("planted");
});
