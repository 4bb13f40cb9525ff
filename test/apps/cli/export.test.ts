// export: every row once, as a table or as JSON lines, in memory that does not grow with their number.
import { once } from "node:events";
import { expect, test } from "vitest";
import { runCli } from "../../../apps/cli/run-cli.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn, spawnCli, untilComplete } from "../../support/cli.ts";
import { reversalsOf } from "../../support/reversals.ts";
import { until } from "../../support/until.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port, clan } = await useApi();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
const fileOf = useFiles();
const hostile = { reason: '=HYPERLINK("http://evil")', source: { matchId: "@m", verified: true } };
await clan.award("a", { amount: 150, ...hostile });
await clan.award("a", { amount: -20, reason: 'quote " and\nline' });
await clan.award("-5", { amount: 7 });
await cli.json("member", "appoint", clan.clanId, "a", "--rank", "Officer");
await cli.json("member", "name", clan.clanId, "a", "=Ada");
// From here on Redis has the API as one that is to be asked.
await clan.get("/members");

/** The objects in what was printed as NDJSON. */
const rowsIn = (ndjson: string): any[] => JSON.parse(`[${ndjson.trim().replaceAll("\n", ",")}]`);

test("export members prints CSV and NDJSON that can be imported", async () => {
  const since = (await cli.json("member", "show", clan.clanId, "a")).answer.membership.since;
  const [last, lastOfA] = await Promise.all(
    ["-5", "a"].map(async (platformId) => (await clan.get(`/members/${platformId}`)).body.lastAwardAt),
  );
  await clan.post("/names", { names: [{ platformId: "-5", hidden: true }] });
  const csv = await cli.run("export", clan.clanId, "members");
  expect([csv.exitCode, csv.stdout]).toStrictEqual([
    0,
    `platform_id,xp,rank,membership,appointed_rank,position,last_award_at,name,hidden\n'-5,7,Guest,,,2,${last},,true\na,130,Officer,${since},Officer,1,${lastOfA},'=Ada,false\n`,
  ]);
  const ndjson = await cli.run("export", clan.clanId, "members", "--format", "ndjson");
  const guest = { platformId: "-5", xp: "7", rank: "Guest", membership: null, appointedRank: null, name: null };
  const officer = { platformId: "a", xp: "130", rank: "Officer", membership: since, appointedRank: "Officer" };
  expect(rowsIn(ndjson.stdout)).toStrictEqual([
    { ...guest, position: 2, last_award_at: last, hidden: true },
    { ...officer, position: 1, last_award_at: lastOfA, name: "=Ada", hidden: false },
  ]);

  for (const file of [fileOf("members.csv", csv.stdout), fileOf("members.ndjson", ndjson.stdout)]) {
    const copy = (await world.makeClan()).clan.clanId;
    expect((await cli.json("import", copy, file)).answer).toMatchObject({ imported: 2, skipped: 0 });
    expect((await cli.json("member", "show", copy, "a")).answer).toMatchObject({ xp: "130", rank: "Officer" });
  }
});

test("export prevents formulas in platformIds, and an import brings them back", async () => {
  const from = await makeClanCaller(world, port);
  const ids = ["-1", "-B2", "@A1", "@at", "4711"];
  for (const id of ids) await from.award(id, { amount: 7 });
  const csv = (await untilComplete(() => cli.run("export", from.clanId, "members"))).stdout;
  const rows = csv.split("\n").slice(1, -1);
  expect(rows.map((row) => row.split(",").slice(0, 6).join(","))).toStrictEqual(
    ["'-1", "'-B2", "4711", "'@A1", "'@at"].map((id) => `${id},7,Guest,,,1`),
  );
  expect((await cli.run("export", from.clanId, "ledger")).stdout).toMatch(/^'@A1,1,/m);
  const { clanId } = (await world.makeClan()).clan;
  expect((await cli.json("import", clanId, fileOf("ids.csv", csv))).answer.imported).toBe(ids.length);
  for (const id of ids)
    expect(JSON.parse((await cli.run("member", "show", clanId, "--json", "--", id)).stdout).xp).toBe("7");
});

test("export members includes every acknowledged award, and warns without Redis that some may be missing", async () => {
  const now = await makeClanCaller(world, port);
  await now.award("now", { amount: 5 });
  const exported = await untilComplete(() => cli.run("export", now.clanId, "members"));
  expect([exported.stdout.split("\n")[1], exported.stderr]).toStrictEqual([
    expect.stringMatching(/^now,5,Guest,,,1,\d{4}-/),
    "",
  ]);
  const withoutRedis = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: "redis://127.0.0.1:1" });
  const alone = await withoutRedis.run("export", now.clanId, "members");
  expect([alone.exitCode, alone.stdout]).toStrictEqual([0, exported.stdout]);
  expect(alone.stderr).toBe(
    "clanxp: Redis is unavailable. Awards of the last 5 s may be missing from the list of members.\n",
  );
});

test("export ledger prints every entry in order, and prevents formulas in CSV cells but not in NDJSON", async () => {
  const csv = (await cli.run("export", clan.clanId, "ledger")).stdout;
  expect(csv.split("\n")[0]).toBe(
    "platform_id,seq,award_id,kind,at,amount,applied,xp,rank,reason,place_id,match_id,verified,key_id,actor,batch_id,membership_created,reverses,reversed_by,limited_by,boost_id,boost_name,boost_percent,boost_amount",
  );
  expect(csv).toContain(`,"'=HYPERLINK(""http://evil"")",,'@m,true,`);
  expect(csv).toContain(`,-20,-20,130,Recruit,"quote "" and\nline",`);
  const rows = rowsIn((await cli.run("export", clan.clanId, "ledger", "--format", "ndjson")).stdout);
  expect(rows.map(({ platformId, seq, kind, xp }) => [platformId, seq, kind, xp])).toStrictEqual([
    ["-5", 1, "award", "7"],
    ["a", 1, "award", "150"],
    ["a", 2, "award", "130"],
    ["a", 3, "appointment", "130"],
  ]);
  expect(rows[1]).toMatchObject({ reason: '=HYPERLINK("http://evil")', matchId: "@m", membershipCreated: true });
  expect(rows[1]).toMatchObject({ limitedBy: null, boostId: null, boostPercent: null, boostAmount: null });
  const { body } = await clan.get("/members/a/ledger");
  expect(rows.slice(1).map(({ awardId }) => awardId)).toStrictEqual(
    body.entries.map((entry: any) => entry.awardId).toReversed(),
  );
});

test("export ledger prints both the award of a reversal and the reversal of an award, also across pages", async () => {
  const own = await makeClanCaller(world, port, {}, ["award", "deduct", "read", "reverse"]);
  await world.startWorker();
  await own.award("first", { amount: 1 });
  const { awardId } = (await own.awardChange("second", { amount: 2 })).body.change;
  await own.award("second", { amount: 3 });
  await own.award("third", { amount: 4 });
  await reversalsOf(own).reverseNow({ platformId: "second", awardId });
  const rows = rowsIn((await cli.run("export", own.clanId, "ledger", "--format", "ndjson")).stdout);
  const [, , , reversal] = rows;
  const facts = rows.map(({ platformId, kind, reverses, reversedBy }) => [platformId, kind, reverses, reversedBy]);
  expect(facts).toStrictEqual([
    ["first", "award", null, null],
    ["second", "award", null, reversal.awardId],
    ["second", "award", null, null],
    ["second", "reversal", awardId, null],
    ["third", "award", null, null],
  ]);
});

test("export ledger prints 20,000 entries once each, with a heap smaller than the output", async () => {
  const count = 20_000;
  const large = (await world.makeClan()).clan.clanId;
  await insertEntries(large, count);
  const env = { MONGO_URL: world.mongoUrl, NODE_OPTIONS: "--max-old-space-size=40 --max-semi-space-size=4" };
  const args = ["export", large, "ledger", "--format", "ndjson"];
  const child = spawnCli(env, args, { stdio: ["ignore", "pipe", "inherit"] });
  let [rows, bytes, last] = [0, 0, ""];
  const ended = once(child, "exit");
  child.stdout?.setEncoding("utf8");
  for await (const chunk of child.stdout as AsyncIterable<string>) {
    bytes += chunk.length;
    const lines = (last + chunk).split("\n");
    last = lines.pop() ?? "";
    rows += lines.length;
  }
  expect(await ended).toStrictEqual([0, null]);
  expect([rows, last]).toStrictEqual([count, ""]);
  // More than the heap.
  expect(bytes).toBeGreaterThan(42_000_000);
});

test("export ledger names the columns once, in the first line, however many pages follow", async () => {
  const clanId = (await world.makeClan()).clan.clanId;
  await insertEntries(clanId, 2_500);
  const lines = (await cli.run("export", clanId, "ledger")).stdout.trim().split("\n");
  const names = lines.filter((line) => line.startsWith("platform_id,"));
  expect([lines.length, names]).toStrictEqual([2_501, [lines[0]]]);
});

test("export reads rows no faster than the reader of its output accepts them", async () => {
  const writes: string[] = [];
  let drain: (() => void) | null = null;
  const stdout = {
    write(text: string) {
      if (drain) throw new Error("written before it drained");
      writes.push(text);
      return false;
    },
    once(_event: "drain", drained: () => void) {
      drain = () => {
        drain = null;
        drained();
      };
    },
  };
  const running = runCli({
    args: ["export", clan.clanId, "members"],
    env: { MONGO_URL: world.mongoUrl },
    stdout,
    stderr: { write() {} },
    terminal: null,
  });
  let isEnded = false;
  void running.then(() => (isEnded = true));
  await expect.poll(() => writes.length).toBe(1);
  expect(isEnded).toBe(false);
  await until(async () => drain !== null);
  (drain as (() => void) | null)?.();
  expect(await running).toBe(0);
});

test("export prints only column names for an empty clan", async () => {
  const empty = (await world.makeClan()).clan.clanId;
  expect((await cli.run("export", empty, "members")).stdout).toBe(
    "platform_id,xp,rank,membership,appointed_rank,position,last_award_at,name,hidden\n",
  );
  expect((await cli.run("export", empty, "ledger", "--format", "ndjson")).stdout).toBe("");
});

/** Of 400 members. MongoDB makes them itself: that is faster than sending them. */
async function insertEntries(clanId: string, count: number): Promise<void> {
  const amounts = { xp: 5n, amount: 5n, applied: 5n, rank: "Guest", previousRank: "Guest", memberSince: null };
  const facts = { ...amounts, apiKeyId: "k", reason: "x".repeat(2_000), at: new Date(0) };
  const _id = {
    clanId,
    platformId: { $concat: ["p", { $toString: { $mod: ["$n", 400] } }] },
    seq: { $toInt: { $add: [1, { $floor: { $divide: ["$n", 400] } }] } },
  };
  await world.database
    .db()
    .collection<any>("clans")
    .aggregate([
      { $match: { _id: clanId } },
      { $project: { n: { $range: [0, count] } } },
      { $unwind: "$n" },
      { $replaceWith: { _id, key: { $concat: ["-", { $toString: "$n" }] }, ...facts } },
      { $merge: { into: "ledger", whenMatched: "fail" } },
    ])
    .toArray();
}
