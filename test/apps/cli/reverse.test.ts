// reverse: its preview, question, wait and errors. That it is true of the ledger is the subject of
// test/api/submit-reversal.
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { memberIdOf } from "#domain/member-id.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import type { MemberDoc } from "#ledger/store/member-model.ts";
import { AWARD_IDS_PER_STEP, REVERSALS_UNFINISHED_PER_CLAN_MAX } from "#reversals/bounds.ts";
import { expectResponse, expectProblem } from "../../support/responses.ts";
import { answeringCliOn, cliOn, ONLY_DELAYS, spawnCli } from "../../support/cli.ts";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { makeEntry } from "../../support/entry.ts";
import type { Reply } from "../../support/http.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { until } from "../../support/until.ts";
import { makeWorld } from "../../support/world.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan } = await useApi({ worker: true });
const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada@example.org" };
const cli = cliOn(env);
const fileOf = useFiles();
const keyId = (await world.keys.listOfClan(clan.clanId))[0]?.keyId ?? "";

const SINCE = ["--from", "2020-01-01"];
async function entriesOf(platformId: string): Promise<any[]> {
  return expectResponse("read-ledger", await clan.get(`/members/${platformId}/ledger`)).entries;
}

describe("clanxp reverse", () => {
  test("counts with --dry-run; with --yes reverses, waits for the workers, names the actor, and skips everything when it is run again", async () => {
    const { awardId } = (await clan.awardChange("m", { amount: 50 })).body.change;
    const selection = ["reverse", clan.clanId, "--member", "m", "--award", awardId];
    const dry = await cli.json(...selection, "--dry-run");
    expect([dry.exitCode, dry.answer]).toStrictEqual([0, { awards: 1, members: 1, amount: "50" }]);
    expect(await entriesOf("m")).toHaveLength(1);
    const args = [...selection, "--reason", "a mistake", "--yes"];
    const first = await cli.json(...args);
    expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(ONLY_DELAYS) });
    expect(first.answer).toStrictEqual({
      clanId: clan.clanId,
      preview: { awards: 1, members: 1, amount: "50" },
      reversalId: expect.stringMatching(/^rev_[0-9a-z]{25}$/),
      status: "done",
      by: { platformId: "m", awardId },
      reason: "a mistake",
      selected: 1,
      reversed: 1,
      skipped: 0,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect((await entriesOf("m"))[0]).toMatchObject({
      kind: "reversal",
      reverses: awardId,
      reason: "a mistake",
      keyId: "cli",
      actor: "ada@example.org",
    });
    const { records } = (await cli.json("audit", "list", "--clan", clan.clanId, "--action", "reversal.submit")).answer;
    expect(records).toMatchObject([{ actor: "ada@example.org", via: "cli", target: first.answer.reversalId }]);
    // The award ID is a hash of the platform ID that can be guessed, and the audit log outlives an erasure.
    expect(records[0].after).toStrictEqual({ reversalId: first.answer.reversalId, by: "award", selected: 1 });
    expect((await cli.json(...args)).answer).toMatchObject({ selected: 1, reversed: 0, skipped: 1 });
    // For people: first what would be reversed, then what was.
    expect((await cli.run(...args)).stdout).toMatch(
      /^awards +0, not reversed yet\nmembers +0\namount +0 XP\n\nreversal +rev_[^]*^skipped +1 awards/m,
    );
  });

  test("import --undo takes back all XP of the imports of a name, with lines that have keys and reasons, and nothing else", async () => {
    const { clanId } = clan;
    const lines = "platformId,xp,reason,key\nimp1,70,,\nimp2,30,old XP,k1\nimp2,5,,k2\n";
    const file = fileOf("bot.csv", lines);
    expect(await cli.json("import", clanId, file, "--name", "bot")).toMatchObject({ exitCode: 0 });
    expect(await cli.json("import", clanId, fileOf("b.csv", "platformId,xp\nimp1,9\n"))).toMatchObject({ exitCode: 0 });
    await clan.award("imp1", { amount: 2 });
    const undo = ["import", clanId, "--undo", "bot"];
    expect((await cli.json(...undo, "--dry-run")).answer).toStrictEqual({ awards: 3, members: 2, amount: "105" });
    expect(await cli.json(...undo)).toMatchObject({ exitCode: 1, answer: { error: { code: "not_confirmed" } } });
    const undone = await cli.json(...undo, "--yes");
    expect(undone).toMatchObject({ exitCode: 0, answer: { by: { importName: "bot" }, reversed: 3 } });
    for (const [id, xp] of Object.entries({ imp1: "11", imp2: "0" }))
      expect((await cli.json("member", "show", clanId, id)).answer).toMatchObject({ xp });
    expect((await entriesOf("imp2"))[0]).toMatchObject({ kind: "reversal", reason: "undo import bot" });
    // Its lines still count as imported.
    expect((await cli.json("import", clanId, file, "--name", "bot")).answer).toMatchObject({
      imported: 0,
      repeated: 3,
    });
    for (const wrong of [[clanId], [clanId, file, "--undo", "bot"], [clanId, "--undo", "a b"], [clanId, file, "--yes"]])
      expect(await cli.json("import", ...wrong)).toMatchObject({ exitCode: 2 });
  });

  test("shows the counts and asks, and exits with code 1 without a yes or a terminal", async () => {
    await clan.award("asked", { amount: 7, source: { matchId: "asked" } });
    const [declining, confirming] = [answeringCliOn(env, false), answeringCliOn(env, true)];
    const args = ["reverse", clan.clanId, "--match", "asked"];
    const rejected = { exitCode: 1, answer: { error: { code: "not_confirmed" } } };
    expect(await declining.json(...args)).toMatchObject(rejected);
    const alone = await cli.json(...args);
    expect(alone).toMatchObject(rejected);
    expect(alone.answer.error.message).toContain("--yes");
    expect(await entriesOf("asked")).toHaveLength(1);

    expect(await confirming.json(...args)).toMatchObject({ exitCode: 0, answer: { reversed: 1 } });
    for (const { questions } of [declining, confirming])
      expect(questions).toStrictEqual(["Reverse 1 awards of 1 members, 7 XP in all?"]);
  });

  test("accepts every selection of the API", async () => {
    const accepted = await clan.submit([{ platformId: "b", amount: 5 }], { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    await expect.poll(async () => (await clan.get(`/batches/${batchId}`)).body.status).toBe("done");
    const reverse = async (...selection: string[]) =>
      (await cli.json("reverse", clan.clanId, ...selection, "--yes")).answer;
    expect(await reverse("--batch", batchId)).toMatchObject({ by: { batchId }, reversed: 1 });
    const by = { platformId: "b", from: "2020-01-01T00:00:00.000Z" };
    expect(await reverse("--member", "b", "--from", "2020-01-01t00:00:00z")).toMatchObject({ by, skipped: 1 });
    // A time span within one millisecond.
    const span = ["--from", "2026-11-22T12:00:00.0001Z", "--to", "2026-11-22t12:00:00.0002z"];
    expect(await reverse("--match", "none", ...span)).toMatchObject({ selected: 0 });
    expect(await reverse("--key", keyId, ...SINCE, "--to", "2020-02-01")).toMatchObject({ by: { keyId }, selected: 0 });
    const { records } = (await cli.json("audit", "list", "--clan", clan.clanId, "--action", "reversal.submit")).answer;
    expect(records.slice(0, 4).map((record: any) => record.after)).toMatchObject([
      { by: "key", keyId, selected: 0 },
      { by: "match", matchId: "none", selected: 0 },
      { by: "member", selected: 1 },
      { by: "batch", batchId, selected: 1 },
    ]);
  });

  test("finds an award beyond 100,000 entries by its ID, while a preview over HTTP reports that it stops there", async () => {
    const member = { clanId: clan.clanId, platformId: "veteran" };
    const [seq, newest] = [3, AWARD_IDS_PER_STEP + 4];
    const entries = [seq, newest].map((at) =>
      makeEntry({ ...member, seq: at, key: `=${at}`, xp: 90n, at: new Date() }),
    );
    await world.database.db().collection<EntryDoc>("ledger").insertMany(entries.map(docOfEntry));
    const head = { xp: 90n, seq: newest, membership: null, appointedRank: null };
    await world.database
      .db()
      .collection<MemberDoc>("members")
      .insertOne({ _id: memberIdOf(member), ...member, ...head });
    const by = { platformId: "veteran", awardId: awardIdOf({ ...member, seq }) };

    const undo = clan.with((await world.makeKey(clan.clanId, ["reverse"])).secret);
    let preview!: Reply;
    // One that takes longer than a caller waits ends as busy, and is asked for again.
    await until(async () => {
      preview = await undo.post("/reversals", { by, dryRun: true });
      return preview.status !== 503;
    });
    expect(expectProblem(preview, 400, "invalid_request").errors).toMatchObject([{ pointer: "/by/awardId" }]);
    const args = ["reverse", clan.clanId, "--member", "veteran", "--award", by.awardId];
    expect((await cli.json(...args, "--dry-run")).answer).toStrictEqual({ awards: 1, members: 1, amount: "5" });

    const { reversalId } = expectResponse("submit-reversal", await undo.post("/reversals", { by }), 202);
    const state = async () => (await undo.get(`/reversals/${reversalId}`)).body;
    await expect.poll(state).toMatchObject({ status: "done", selected: 1, reversed: 1, by });
    expect((await entriesOf("veteran"))[0]).toMatchObject({ kind: "reversal", reverses: by.awardId, xp: "85" });
    expect((await cli.json(...args, "--yes")).answer).toMatchObject({ selected: 1, reversed: 0, skipped: 1 });
  });

  test("reports that it waits without a worker or continues after an interruption, and a worker reverses later", async () => {
    const own = await makeWorld();
    onTestFinished(() => own.close());
    const rovers = await makeClanCaller(own, (await own.startApi()).port);
    await rovers.award("m", { amount: 5, source: { matchId: "x" } });
    const servers = { MONGO_URL: own.mongoUrl, REDIS_URL: own.redisUrl };
    const args = ["reverse", rovers.clanId, "--match", "x", "--yes"];
    const child = spawnCli({ ...servers, CLANXP_ACTOR: "ada" }, args, { stdio: ["ignore", "ignore", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    await expect
      .poll(() => stderr)
      .toMatch(/^clanxp: No worker has taken the reversal rev_\w+ for 5 s\..*queue status/);
    const [reversalId = ""] = /rev_\w+/.exec(stderr) ?? [];
    expect(stderr).toContain(`GET /v0/clans/${rovers.clanId}/reversals/${reversalId}.`);

    // Not "exit": what it wrote last may be read after that.
    const exited = once(child, "close");
    child.kill("SIGINT");
    expect(await exited).toStrictEqual([null, "SIGINT"]);
    expect(stderr).toContain(`The reversal ${reversalId} is recorded and continues without this command.`);
    await own.startWorker();
    const undo = rovers.with((await own.makeKey(rovers.clanId, ["reverse"])).secret);
    const state = async () => (await undo.get(`/reversals/${reversalId}`)).body;
    await expect.poll(state).toMatchObject({ status: "done", reversed: 1 });
  });

  test("exits with code 1 and the queued reversal while the queue is paused, and the reversal runs on resume", async () => {
    await clan.award("later", { amount: 5, source: { matchId: "later" } });
    await cli.run("queue", "pause");
    onTestFinished(async () => void (await cli.run("queue", "resume")));
    const { exitCode, answer, stderr } = await cli.json("reverse", clan.clanId, "--match", "later", "--yes");
    expect([exitCode, answer.status, answer.selected]).toStrictEqual([1, "queued", 0]);
    expect(stderr).toBe(
      `clanxp: The queue is paused. The reversal ${answer.reversalId} is recorded and runs after clanxp queue resume. ` +
        `This command does not wait for that. Its state is at GET /v0/clans/${clan.clanId}/reversals/${answer.reversalId}.\n`,
    );
    await cli.run("queue", "resume");
    await expect.poll(async () => (await entriesOf("later"))[0]).toMatchObject({ kind: "reversal", amount: "-5" });
  });

  test("exits with code 3 and the time to retry if too many reversals are unfinished, and records nothing", async () => {
    const { clanId } = (await world.makeClan()).clan;
    const counts = { clanId, apiKeyId: "k", fingerprint: "", position: 0, selected: 0, reversed: 0, skipped: 0 };
    const unfinished = { ...counts, by: { batchId: "b" }, selection: {}, state: "running", createdAt: new Date() };
    const records = world.database.db().collection<any>("reversals");
    const ids = Array.from({ length: REVERSALS_UNFINISHED_PER_CLAN_MAX }, (_, index) => `${clanId}-${index}`);
    await records.insertMany(ids.map((_id) => ({ ...unfinished, _id })));
    onTestFinished(async () => void (await records.deleteMany({ clanId })));
    const { exitCode, answer, stderr } = await cli.json("reverse", clanId, "--batch", "b", "--yes");
    expect([exitCode, answer.error.code]).toStrictEqual([3, "busy"]);
    expect(stderr).toBe(
      "clanxp: Too many reversals are unfinished. Nothing was accepted: retry when some of them are done.\n",
    );
    expect(await records.countDocuments({ clanId })).toBe(REVERSALS_UNFINISHED_PER_CLAN_MAX);
  });

  test("exits with code 3 without one of its servers", async () => {
    for (const away of [{ MONGO_URL: "mongodb://127.0.0.1:1/x" }, { REDIS_URL: "redis://127.0.0.1:1" }]) {
      expect((await cliOn({ ...env, ...away }).json("reverse", clan.clanId, "--batch", "b", "--yes")).exitCode).toBe(3);
    }
  });
});
