// key create, rotate, revoke, limit. key-list.test.ts has list.
import { describe, expect, test } from "vitest";
import { actsInTime } from "../../support/acts-in-time.ts";
import { patientCliOn } from "../../support/cli.ts";
import { callerOf } from "../../support/http.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl });

async function newClan(): Promise<string> {
  const { clan } = await world.makeClan(); // with its own key
  return clan.clanId;
}

/** The API's answer to this key: a status, and the code of an error. */
async function callWith(secret: string, clanId: string): Promise<[number, string | undefined]> {
  const { status, body } = await callerOf(port, secret).get(`/v0/clans/${clanId}`);
  return [status, body.code];
}

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe("key create", () => {
  test("returns exactly the documented fields, and the key works immediately", async () => {
    const clanId = await newClan();
    const { exitCode, answer } = await cli.json("key", "create", clanId, "--name", "game server");
    expect(exitCode).toBe(0);
    expect(answer).toEqual({
      keyId: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
      clanId,
      name: "game server",
      scopes: ["award", "deduct", "read"],
      createdAt: expect.any(String),
      expiresAt: null,
      secret: expect.stringMatching(new RegExp(`^cxp_${answer.keyId}_`)),
    });
    expect(await callWith(answer.secret, clanId)).toEqual([200, undefined]);
  });

  test("prints the secret once, on a separate line, for people", async () => {
    const { stdout } = await cli.run("key", "create", await newClan(), "--name", "shown");
    expect(stdout.match(/^ {2}cxp_\S+$/gm)).toHaveLength(1);
    expect(stdout).toContain("cannot be shown again");
  });

  test("accepts scopes and an expiry", async () => {
    const expires = inDays(30);
    const scopes = ["read", "reverse", "read"].flatMap((scope) => ["--scope", scope]);
    const { answer } = await cli.json("key", "create", await newClan(), "--name", "n", ...scopes, "--expires", expires);
    expect(answer).toMatchObject({ scopes: ["read", "reverse"], expiresAt: expires });
  });

  test.each([
    ["2999-01-01", "2999-01-01T00:00:00.000Z"],
    ["2999-01-01T12:30+02:00", "2999-01-01T10:30:00.000Z"],
    ["2996-02-29T00:00:00Z", "2996-02-29T00:00:00.000Z"],
  ])("interprets --expires %s as %s", async (expires, timestamp) => {
    expect(
      (await cli.json("key", "create", await newClan(), "--name", "n", "--expires", expires)).answer.expiresAt,
    ).toBe(timestamp);
  });

  test("exits with code 1 for a sixth live key, not counting keys in their grace period", async () => {
    const clanId = await newClan();
    const made = [];
    for (let keys = 1; keys < 5; keys += 1)
      made.push((await cli.json("key", "create", clanId, "--name", `key ${keys}`)).answer);
    const sixth = await cli.json("key", "create", clanId, "--name", "sixth");
    expect([sixth.exitCode, sixth.answer.error.code]).toEqual([1, "too_many_keys"]);

    expect((await cli.json("key", "rotate", made[0].keyId)).exitCode).toBe(0);
    expect((await cli.json("key", "create", clanId, "--name", "sixth")).exitCode).toBe(1);
    await cli.run("key", "revoke", made[1].keyId);
    expect((await cli.json("key", "create", clanId, "--name", "sixth")).exitCode).toBe(0);
  });
});

describe("key rotate", () => {
  test("creates a key that works, and the old one remains valid for its grace period", async () => {
    const clanId = await newClan();
    const { answer: old } = await cli.json("key", "create", clanId, "--name", "server", "--scope", "read");
    const { exitCode, answer } = await cli.json("key", "rotate", old.keyId, "--grace", "15m");
    expect(exitCode).toBe(0);
    expect(Object.keys(answer)).toEqual(Object.keys(old));
    expect(answer).toMatchObject({ clanId, name: "server", scopes: ["read"], expiresAt: null });
    expect(await callWith(answer.secret, clanId)).toEqual([200, undefined]);
    expect(await callWith(old.secret, clanId)).toEqual([200, undefined]);

    const { keys } = (await cli.json("key", "list", clanId)).answer;
    const replaced = keys.find((key: { keyId: string }) => key.keyId === old.keyId);
    expect(replaced.replacedBy).toBe(answer.keyId);
    expect(Date.parse(replaced.expiresAt) - Date.parse(answer.createdAt)).toBe(15 * 60_000);
  });

  test.each([
    [[], DAY_MS],
    [["--grace", "90s"], 90_000],
    [["--grace", "24h"], DAY_MS],
    [["--grace", "7d"], 7 * DAY_MS],
    [["--grace", "0"], 0],
  ])("with %j sets a grace period of %d ms, after which the old key is expired", async (options, graceMs) => {
    const clanId = await newClan();
    const { keyId, secret } = await world.makeKey(clanId);
    const { answer } = await cli.json("key", "rotate", keyId, ...options);
    const { keys } = (await cli.json("key", "list", clanId)).answer;
    const old = keys.find((key: { keyId: string }) => key.keyId === keyId);
    expect(Date.parse(old.expiresAt) - Date.parse(answer.createdAt)).toBe(graceMs);
    expect(await callWith(secret, clanId)).toEqual(graceMs === 0 ? [401, "key_expired"] : [200, undefined]);
  });

  test("exits with code 1 for a revoked key", async () => {
    const { keyId } = await world.makeKey(await newClan());
    await cli.run("key", "revoke", keyId);
    expect((await cli.json("key", "rotate", keyId)).answer.error.code).toBe("key_not_live");
  });
});

describe("key revoke", () => {
  test("revokes the key within 1 s on a process that has cached it, and changes nothing when it is run again", async () => {
    const clanId = await newClan();
    const { keyId, secret } = await world.makeKey(clanId);
    expect(await callWith(secret, clanId)).toEqual([200, undefined]);
    const first = await cli.json("key", "revoke", keyId);
    expect(first.exitCode).toBe(0);
    await actsInTime(async () => (await callWith(secret, clanId))[0] !== 200);
    expect(await callWith(secret, clanId)).toEqual([401, "key_revoked"]);

    expect(await cli.json("key", "revoke", keyId)).toMatchObject({ exitCode: 0, answer: first.answer });
    expect((await cli.json("key", "list", clanId)).answer.keys).toContainEqual({
      ...first.answer,
      lastUsedAt: expect.toSatisfy(() => true),
    });
  });
});

describe("key limit", () => {
  test("sets, shows and removes the limits that are given, and takes effect within 1 s on a process that knows the key", async () => {
    const clanId = await newClan();
    const { answer: key } = await cli.json("key", "create", clanId, "--name", "limited");
    await callWith(key.secret, clanId);
    await cli.json("key", "limit", key.keyId, "--awards", "70", "--amount-max", "500", "--xp-per-day", "200000");
    expect((await cli.run("key", "list", clanId)).stdout).toContain("500 per award, 200000 XP per day");
    const lifted = ["--requests", "1", "--amount-max", "none", "--xp-per-day", "none"];
    const { exitCode, answer } = await cli.json("key", "limit", key.keyId, ...lifted);
    const limits = { requestsPerSecond: 1, awardsPerSecond: 70, amountMax: null, xpPerDay: null };
    expect({ exitCode, answer }).toMatchObject({ exitCode: 0, answer: { keyId: key.keyId, limits } });
    // More at the same time than the burst of the new limit, however long they take.
    const tenCalls = () => Promise.all(Array.from({ length: 10 }, () => callWith(key.secret, clanId)));
    await actsInTime(async () => (await tenCalls()).flat().includes("rate_limited"));
  });
});
