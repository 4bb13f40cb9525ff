// key create, rotate, revoke, limit. key-list.test.ts has list.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actsInTime } from "../../support/acts-in-time.ts";
import { patientCliOn, type CommandLine } from "../../support/cli.ts";
import { callerOf } from "../../support/http.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
let cli: CommandLine;
let port: number;
beforeAll(async () => {
  world = await makeWorld();
  cli = patientCliOn({ MONGO_URL: world.mongoUrl });
  port = (await world.startApi()).port;
});
afterAll(() => world.close());

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
    const { answer } = await cli.json(
      "key",
      "create",
      await newClan(),
      "--name",
      "n",
      "--scope",
      "read",
      "--scope",
      "reverse",
      "--scope",
      "read",
      "--expires",
      expires,
    );
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

  test.each([
    ["an unknown scope", ["--name", "n", "--scope", "awrd"]],
    ["an expiry in the past", ["--name", "n", "--expires", "2020-01-01"]],
    ["an expiry without a time zone", ["--name", "n", "--expires", "2999-01-01T00:00:00"]],
    ["a date that does not exist", ["--name", "n", "--expires", "2999-02-30"]],
    ["an expiry that is no date", ["--name", "n", "--expires", "tomorrow"]],
    ["no name", []],
    ["an empty name", ["--name", ""]],
    ["a long name", ["--name", "x".repeat(101)]],
  ])("rejects %s with exit code 2 and creates no API key", async (_, options) => {
    const clanId = await newClan();
    expect((await cli.json("key", "create", clanId, ...options)).exitCode).toBe(2);
    expect((await cli.json("key", "list", clanId)).answer.keys).toHaveLength(1);
  });

  test("suggests the intended scope", async () => {
    const { answer } = await cli.json(
      "key",
      "create",
      await newClan(),
      "--name",
      "n",
      "--scope",
      "awrd",
      "--scope",
      "raed",
    );
    expect(answer.error.faults).toEqual([expect.stringContaining('"award"?'), expect.stringContaining('"read"?')]);
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

  test("exits with code 1 for an unknown clan", async () => {
    expect((await cli.json("key", "create", "nobody", "--name", "n")).answer.error.code).toBe("clan_not_found");
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
  ])("with %j sets a grace period of %d ms", async (options, graceMs) => {
    const clanId = await newClan();
    const { keyId } = await world.makeKey(clanId);
    const { answer } = await cli.json("key", "rotate", keyId, ...options);
    const { keys } = (await cli.json("key", "list", clanId)).answer;
    const old = keys.find((key: { keyId: string }) => key.keyId === keyId);
    expect(Date.parse(old.expiresAt) - Date.parse(answer.createdAt)).toBe(graceMs);
  });

  test("without a grace period ends the old key immediately", async () => {
    const clanId = await newClan();
    const { keyId, secret } = await world.makeKey(clanId);
    await cli.run("key", "rotate", keyId, "--grace", "0");
    expect(await callWith(secret, clanId)).toEqual([401, "key_expired"]);
  });

  test.each(["8d", "169h", "-1h", "1", "1w", "h", ""])("exits with code 2 for --grace %j", async (grace) => {
    const { keyId } = await world.makeKey(await newClan());
    expect((await cli.json("key", "rotate", keyId, "--grace", grace)).exitCode).toBe(2);
  });

  test("exits with code 1 for a revoked or unknown key", async () => {
    const { keyId } = await world.makeKey(await newClan());
    await cli.run("key", "revoke", keyId);
    expect((await cli.json("key", "rotate", keyId)).answer.error.code).toBe("key_not_live");
    expect((await cli.json("key", "rotate", "nobody")).answer.error.code).toBe("key_not_found");
  });
});

describe("key revoke", () => {
  test("revokes the key, and changes nothing when it is run again", async () => {
    const clanId = await newClan();
    const { keyId, secret } = await world.makeKey(clanId);
    const first = await cli.json("key", "revoke", keyId);
    expect(first.exitCode).toBe(0);
    expect(await callWith(secret, clanId)).toEqual([401, "key_revoked"]);

    const again = await cli.json("key", "revoke", keyId);
    expect(again.exitCode).toBe(0);
    expect(again.answer).toEqual(first.answer);
    expect((await cli.json("key", "list", clanId)).answer.keys).toContainEqual({
      ...first.answer,
      lastUsedAt: expect.toSatisfy(() => true),
    });
  });

  test("takes effect within 1 s on a process that has cached the key", async () => {
    const clanId = await newClan();
    const { keyId, secret } = await world.makeKey(clanId);
    expect(await callWith(secret, clanId)).toEqual([200, undefined]);
    await cli.run("key", "revoke", keyId);
    await actsInTime(async () => (await callWith(secret, clanId))[0] !== 200);
    expect(await callWith(secret, clanId)).toEqual([401, "key_revoked"]);
  });

  test("exits with code 1 for an unknown key", async () => {
    expect((await cli.json("key", "revoke", "nobody")).answer.error.code).toBe("key_not_found");
  });
});

describe("key limit", () => {
  test("returns the key with its limits, and takes effect within 1 s on a process that has cached the key", async () => {
    const clanId = await newClan();
    const { answer: key } = await cli.json("key", "create", clanId, "--name", "limited");
    await callWith(key.secret, clanId);
    const limited = await cli.json("key", "limit", key.keyId, "--requests", "1", "--awards", "none");
    const limits = { requestsPerSecond: 1, awardsPerSecond: null };
    expect(limited).toMatchObject({ exitCode: 0, answer: { keyId: key.keyId, limits } });
    // More at the same time than the burst of the new limit, however long they take.
    const tenCalls = () => Promise.all(Array.from({ length: 10 }, () => callWith(key.secret, clanId)));
    await actsInTime(async () => (await tenCalls()).flat().includes("rate_limited"));
  });

  test("changes only the limits that are given", async () => {
    const { answer: key } = await cli.json("key", "create", await newClan(), "--name", "limited");
    await cli.json("key", "limit", key.keyId, "--requests", "7");
    const { answer } = await cli.json("key", "limit", key.keyId, "--awards", "70");
    expect(answer.limits).toEqual({ requestsPerSecond: 7, awardsPerSecond: 70, amountMax: null, xpPerDay: null });
  });

  test("sets, shows and removes a daily XP budget", async () => {
    const clanId = await newClan();
    const { answer: key } = await cli.json("key", "create", clanId, "--name", "budgeted");
    const { answer } = await cli.json("key", "limit", key.keyId, "--amount-max", "500", "--xp-per-day", "200000");
    expect(answer.limits).toMatchObject({ amountMax: 500, xpPerDay: 200_000 });
    expect((await cli.run("key", "list", clanId)).stdout).toContain("500 per award, 200000 XP per day");
    const lifted = await cli.json("key", "limit", key.keyId, "--amount-max", "none", "--xp-per-day", "none");
    expect(lifted.answer.limits).toMatchObject({ amountMax: null, xpPerDay: null });
  });

  const bad = [
    ["--requests", "0"],
    ["--requests", "-5"],
    ["--awards", "1.5"],
    ["--amount-max", "0"],
    ["--xp-per-day", "many"],
    [],
  ];
  test.each(bad.map((options) => [options]))("rejects %j with exit code 2", async (options) => {
    expect((await cli.json("key", "limit", "0aB1cD2eF3gH4iJ5", ...options)).exitCode).toBe(2);
  });

  test("exits with code 1 for an unknown key", async () => {
    expect((await cli.json("key", "limit", "0aB1cD2eF3gH4iJ5", "--requests", "5")).exitCode).toBe(1);
  });
});
