// The audit log: every change leaves one record with it, and `audit list` shows it.
import { hostname, userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { auditActions } from "#domain/audit.ts";
import { makeAuditStore } from "#audit/store/audit-store.ts";
import { cliOn, type CommandLine } from "../../support/cli.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan: caller } = await useApi();
const fileOf = useFiles();
const cli = as("ada");

function as(actor: string): CommandLine {
  return cliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: actor });
}

let made = 0;
async function newClan(by = cli): Promise<string> {
  const clanId = `audited-${(made += 1)}`;
  expect((await by.json("clan", "create", clanId, "--auto")).exitCode).toBe(0);
  return clanId;
}

async function recordsOf(...filter: string[]): Promise<any[]> {
  const { exitCode, answer } = await cli.json("audit", "list", ...filter);
  expect(exitCode).toBe(0);
  return answer.records;
}

describe("the audit log has one record for each change", () => {
  test("of a clan and its ranks, with the fields that differ and XP values as strings", async () => {
    const clanId = await newClan();
    await cli.run("clan", "set", clanId, "--xp-cap", "5000", "--name", clanId);
    await cli.run("rank", "set", clanId, "--rank", "Recruit:NORMAL:100");
    const [guest, xpCap] = [{ kind: "GUEST", name: "Guest" }, "9223372036854775807"];
    const facts = { actor: "ada", via: "cli", clanId, target: clanId, at: expect.stringMatching(/^\d{4}-.*Z$/) };
    expect(await recordsOf("--clan", clanId)).toStrictEqual([
      {
        ...facts,
        action: "rank.set",
        before: { ranks: [guest] },
        after: { ranks: [guest, { kind: "NORMAL", name: "Recruit", threshold: "100" }] },
      },
      { ...facts, action: "clan.set", before: { xpCap }, after: { xpCap: "5000" } },
      {
        ...facts,
        action: "clan.create",
        before: null,
        after: { name: clanId, autoClan: true, ranks: [guest], xpFloor: "0", xpCap, amountMax: 1_000_000 },
      },
    ]);
  });

  test("of an API key, with its ID but without its secret", async () => {
    const clanId = await newClan();
    const first = (await cli.json("key", "create", clanId, "--name", "game")).answer;
    const second = (await cli.json("key", "rotate", first.keyId)).answer;
    await cli.run("key", "limit", second.keyId, "--awards", "7");
    await cli.run("key", "revoke", second.keyId);
    const records = (await recordsOf("--clan", clanId)).slice(0, -1);
    const aTime = expect.any(String);
    const created = { name: "game", scopes: ["award", "deduct", "read"], expiresAt: null };
    expect(records.map(({ action, target, before, after }) => ({ action, target, before, after }))).toStrictEqual([
      { action: "key.revoke", target: second.keyId, before: { revokedAt: null }, after: { revokedAt: aTime } },
      { action: "key.limit", target: second.keyId, before: { awardsPerSecond: 5000 }, after: { awardsPerSecond: 7 } },
      {
        action: "key.rotate",
        target: first.keyId,
        before: { replacedBy: null, expiresAt: null },
        after: { replacedBy: second.keyId, expiresAt: aTime },
      },
      { action: "key.create", target: first.keyId, before: null, after: expect.objectContaining(created) },
    ]);
    const stored = JSON.stringify(await world.database.stored.audit.find().toArray());
    const keys = await world.keys.listOfClan(clanId);
    expect(keys).toHaveLength(2);
    // As a whole value: four random characters may be a part of anything.
    for (const { hash, hint } of keys) for (const secret of [hash, `"${hint}"`]) expect(stored).not.toContain(secret);
    for (const { secret } of [first, second]) expect(stored).not.toContain(secret.slice(24));
  });

  test("of a member, which is their ledger entry", async () => {
    const clanId = await newClan();
    await cli.run("rank", "set", clanId, "--rank", "Captain:OWNER");
    await cli.run("member", "add", clanId, "m", "--rank", "Captain");
    await cli.run("member", "remove", clanId, "m");
    const [removed, appointed, added] = await recordsOf("--clan", clanId);
    const facts = { actor: "ada", via: "cli", clanId, target: "m", at: expect.any(String) };
    const nothing = { xp: "0", rank: "Guest", membership: null, appointedRank: null };
    const member = { ...nothing, membership: { since: expect.any(String) } };
    const captain = { ...member, rank: "Captain", appointedRank: expect.any(String) };
    expect(added).toStrictEqual({ ...facts, action: "member.add", before: nothing, after: member });
    expect(appointed).toStrictEqual({ ...facts, action: "member.appoint", before: member, after: captain });
    expect(removed).toStrictEqual({ ...facts, action: "member.remove", before: captain, after: nothing });
    expect(removed.before).toStrictEqual(appointed.after);
  });

  test("of a batch that is cancelled, and none if it is cancelled again", async () => {
    const { body } = await caller.submit([{ platformId: "a", amount: 1 }], { prefer: "respond-async" });
    for (let times = 0; times < 2; times += 1)
      expect((await cli.run("batch", "cancel", body.batchId)).exitCode).toBe(0);
    const [before, after] = [
      { status: "queued", cancelled: false },
      { status: "done", cancelled: true },
    ];
    const records = await recordsOf("--clan", caller.clanId, "--action", "batch.cancel");
    expect(records).toMatchObject([{ target: body.batchId, before, after }]);
  });

  test("of the queue, but only if its state changes", async () => {
    for (const command of ["pause", "pause", "resume", "resume"])
      expect((await cli.run("queue", command)).exitCode).toBe(0);
    const records = (await recordsOf()).filter(({ action }) => action.startsWith("queue."));
    expect(records).toMatchObject([
      { action: "queue.resume", clanId: null, before: { paused: true }, after: { paused: false } },
      { action: "queue.pause", clanId: null, before: { paused: false }, after: { paused: true } },
    ]);
  });

  test("but none for a command that is rejected or changes nothing", async () => {
    const clanId = await newClan();
    const { keyId } = (await cli.json("key", "create", clanId, "--name", "game")).answer;
    await cli.run("key", "revoke", keyId);
    const before = await recordsOf("--clan", clanId);
    expect((await cli.run("clan", "create", clanId)).exitCode).toBe(1);
    expect((await cli.run("clan", "set", clanId, "--auto", "on")).exitCode).toBe(0);
    expect((await cli.run("key", "revoke", keyId)).exitCode).toBe(0);
    expect((await cli.run("key", "rotate", keyId)).exitCode).toBe(1);
    for (let keys = 0; keys < 5; keys += 1)
      expect((await cli.run("key", "create", clanId, "--name", "more")).exitCode).toBe(0);
    expect((await cli.run("key", "create", clanId, "--name", "a sixth")).exitCode).toBe(1);
    expect(await recordsOf("--clan", clanId)).toHaveLength(before.length + 5);
  });

  test("and rejects the change if its record cannot be stored", async () => {
    const clanId = await newClan();
    const { keyId } = (await cli.json("key", "create", clanId, "--name", "game")).answer;
    const { clans } = world.database.stored;
    const [clanBefore, records] = [await clans.findOne({ _id: clanId }), await recordsOf("--clan", clanId)];
    // A record that cannot be kept: the collection takes none.
    await world.database.db().command({ collMod: "audit", validator: { nothing: true } });
    try {
      expect((await cli.run("clan", "set", clanId, "--name", "New")).exitCode).not.toBe(0);
      expect((await cli.run("key", "revoke", keyId)).exitCode).not.toBe(0);
      expect((await cli.run("clan", "create", `${clanId}-two`)).exitCode).not.toBe(0);
    } finally {
      await world.database.db().command({ collMod: "audit", validator: {} });
    }
    expect(await clans.findOne({ _id: clanId })).toStrictEqual(clanBefore);
    expect((await world.keys.read(keyId))?.revokedAt).toBeNull();
    expect(await clans.findOne({ _id: `${clanId}-two` })).toBeNull();
    expect(await recordsOf("--clan", clanId)).toStrictEqual(records);
  });
});

describe("audit list", () => {
  test("filters by clan, actor, action and time, and lists at most --limit records, newest first", async () => {
    const [mine, theirs] = [await newClan(), await newClan(as("Bob Example <bob@example.com>"))];
    await as("Bob Example <bob@example.com>").run("clan", "set", mine, "--name", "New");
    const actions = async (...filter: string[]) =>
      (await recordsOf("--clan", mine, ...filter)).map(({ action }) => action);
    expect(await actions()).toStrictEqual(["clan.set", "clan.create"]);
    expect(await actions("--actor", "ada")).toStrictEqual(["clan.create"]);
    expect(await actions("--action", "clan.set")).toStrictEqual(["clan.set"]);
    expect(await actions("--limit", "1")).toStrictEqual(["clan.set"]);
    const [{ at }] = await recordsOf("--clan", mine);
    expect(await actions("--from", at)).toStrictEqual(["clan.set"]);
    expect(await actions("--to", at)).toStrictEqual(["clan.create"]);
    expect((await recordsOf("--clan", theirs))[0].actor).toBe("Bob Example <bob@example.com>");
    expect((await cli.run("audit", "list", "--clan", mine)).stdout).toMatch(
      /^AT +VIA +CLAN +ACTION +CHANGE\n\S+ +cli +\S+ +clan\.set +Bob Example <bob@example\.com> changed the name /,
    );
  });

  test("shows people a sentence for each record, without JSON and without internal ids", async () => {
    const clanId = await newClan();
    await cli.run("clan", "set", clanId, "--xp-cap", "5000", "--auto", "off");
    await cli.run("rank", "set", clanId, "--rank", "Recruit:NORMAL:20000", "--rank", "Captain:OWNER");
    await cli.run("member", "add", clanId, "m", "--rank", "Captain");
    const { keyId } = (await cli.json("key", "create", clanId, "--name", "game")).answer;
    await cli.run("key", "revoke", keyId);
    const { stdout } = await cli.run("audit", "list", "--clan", clanId);
    expect(stdout).not.toMatch(/[{}"]/);
    expect(stdout).not.toContain(keyId);
    const sentences = stdout.split("\n").flatMap((line) => / (ada .*)$/.exec(line)?.[1] ?? []);
    expect(sentences).toStrictEqual([
      "ada revoked the API key game",
      "ada created the API key game",
      "ada appointed m to Captain",
      "ada added m as a member",
      "ada added the ranks Recruit and Captain",
      "ada turned Auto Clan off and set the maximum XP to 5,000",
      `ada created the clan ${clanId}`,
    ]);
  });

  test("lists every record once over all pages, even if changes of members are between them", async () => {
    const clanId = await newClan();
    for (const member of ["a", "b", "c"]) {
      await cli.run("member", "add", clanId, member);
      await cli.run("clan", "set", clanId, "--name", member);
    }
    const audit = makeAuditStore(world.database);
    const filter = { clanId, actor: null, action: null, from: null, to: null };
    const all = (await audit.list(filter, { limit: 100, after: null })).items;
    expect(all).toHaveLength(7);
    const paged = [];
    for (let after = null; ;) {
      const { items, next } = await audit.list(filter, { limit: 2, after });
      paged.push(...items);
      if (!next) break;
      after = next;
    }
    expect(paged).toStrictEqual(all);
  });

  test("uses an index for each filter", async () => {
    const { audit } = world.database.stored;
    const ledger = world.database.db().collection("ledger");
    const clanId = caller.clanId;
    const [actor, action] = ["ada", auditActions[0]];
    const newestFirst = { at: -1, _id: -1 } as const;
    for (const filter of [{}, { clanId }, { actor }, { action }, { clanId, actor }, { clanId, action }]) {
      const { queryPlanner } = (await audit.find(filter).sort(newestFirst).explain("queryPlanner")) as any;
      expect(JSON.stringify(queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
      const { keyPattern } = queryPlanner.winningPlan.inputStage ?? {};
      expect(Object.keys(keyPattern)).toEqual([...Object.keys(filter), "at", "_id"]);
    }
    const anybody = { actor: { $exists: true } };
    for (const filter of [anybody, { ...anybody, "_id.clanId": clanId }, { actor, "_id.clanId": clanId }]) {
      const query = ledger.find({ ...filter, importName: { $exists: false } }).sort(newestFirst);
      const { queryPlanner } = (await query.explain("queryPlanner")) as any;
      expect(JSON.stringify(queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
    }
  });

  test("lists one record for all lines of an import, with its counts, and passes them by without reading them", async () => {
    const clanId = await newClan();
    await cli.run("member", "add", clanId, "before");
    const rows = Array.from({ length: 700 }, (_, index) => `p${index},${index === 699 ? "many" : 10},true`);
    const file = fileOf("many.csv", `platform_id,xp,membership\n${rows.join("\n")}\n`);
    expect((await cli.run("import", clanId, file, "--name", "season-2")).exitCode).toBe(1);
    await cli.run("member", "add", clanId, "after");
    const facts = { actor: "ada", via: "cli", clanId, at: expect.any(String) };
    const after = { importId: expect.any(String), lines: 700, imported: 699, skipped: 1, xpGiven: "6990" };
    const [added, imported, ...older] = await recordsOf("--clan", clanId);
    expect(added).toMatchObject({ action: "member.add", target: "after" });
    expect(imported).toStrictEqual({ ...facts, action: "member.import", target: "season-2", before: null, after });
    expect(older).toMatchObject([{ action: "member.add", target: "before" }, { action: "clan.create" }]);
    const { stdout } = await cli.run("audit", "list", "--clan", clanId, "--action", "member.import");
    expect(stdout).toContain("ada imported 699 of 700 lines under the name season-2");

    const filter = { "_id.clanId": clanId, actor: { $exists: true }, importName: { $exists: false } };
    const query = world.database.db().collection("ledger").find(filter).sort({ at: -1, _id: -1 }).limit(10);
    const { executionStats } = (await query.explain("executionStats")) as any;
    expect(executionStats).toMatchObject({ nReturned: 2, totalKeysExamined: expect.any(Number) });
    expect(executionStats.totalKeysExamined).toBeLessThan(10);
  });
});

describe("the actor in the audit log", () => {
  test("is user@host without CLANXP_ACTOR", async () => {
    const clanId = await newClan(cliOn({ MONGO_URL: world.mongoUrl }));
    const [{ actor }] = await recordsOf("--clan", clanId);
    expect(actor).toMatch(/^[\w.+-]+@[\w.+-]+$/);
    expect(actor).toContain(`${userInfo().username}@${hostname()}`.slice(0, 8));
  });

  test.each([
    ["too long", "x".repeat(129)],
    ["blank", "  "],
    ["of control characters", "a\u0007b"],
  ])("is rejected with exit code 2 if its name is %s, and nothing is changed", async (_, actor) => {
    const clanId = `refused-${(made += 1)}`;
    const { exitCode, stderr } = await as(actor).run("clan", "create", clanId);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("CLANXP_ACTOR");
    expect((await cli.run("clan", "show", clanId)).exitCode).toBe(1);
  });
});
