// reset: its preview, question, wait, list, cancel, undo and errors. That it is exact about its time is the subject of
// test/libs/reversals/store/read-of-members.test.ts and test/faults/resets.test.ts.
import { describe, expect, test } from "vitest";
import { RESETS_UNFINISHED_PER_CLAN_MAX } from "#resets/bounds.ts";
import { expectResponse } from "../../support/responses.ts";
import { answeringCliOn, ONLY_DELAYS, patientCliOn, untilComplete } from "../../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });
const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada@example.org" };
const cli = patientCliOn(env);

const DAY_MS = 24 * 60 * 60_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

async function entriesOf(clan: ClanCaller, platformId: string): Promise<any[]> {
  return expectResponse("read-ledger", await clan.get(`/members/${platformId}/ledger`)).entries;
}

/** A process projects what it holds of a clan before it lists the members: a preview then needs no answer of it. */
async function project(clan: ClanCaller): Promise<void> {
  expectResponse("list-members", await clan.get("/members"));
}

describe("clanxp reset", () => {
  test("with --dry-run counts what it would take, and with --yes takes it, once, and waits for the workers", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 250 });
    await clan.award("b", { amount: 1 });
    await clan.award("c", { amount: 0 });
    const dry = await untilComplete(() => cli.json("reset", clan.clanId, "--keep", "50", "--dry-run"));
    expect([dry.exitCode, dry.answer]).toStrictEqual([0, { members: 2, amount: "126" }]);
    expect(await entriesOf(clan, "a")).toHaveLength(1);
    await project(clan);
    const ran = await cli.json("reset", clan.clanId, "--keep", "10", "--reason", "Season 4", "--yes");
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(ONLY_DELAYS) });
    expect(ran.answer).toStrictEqual({
      resetId: expect.stringMatching(/^rst_[0-9a-z]{25}$/),
      clanId: clan.clanId,
      status: "done",
      at: expect.any(String),
      keepPercent: 10,
      members: 2,
      amount: "226",
      reason: "Season 4",
      createdBy: "ada@example.org",
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      preview: { members: 2, amount: "226" },
    });
    const { resetId } = ran.answer;
    expect((await entriesOf(clan, "a"))[0]).toMatchObject({
      kind: "reset",
      resetId,
      amount: "-225",
      applied: "-225",
      xp: "25",
      reason: "Season 4",
      keyId: "cli",
      actor: "ada@example.org",
    });
    // Who has nothing to lose gets no entry.
    expect(await entriesOf(clan, "c")).toHaveLength(1);
  });

  test("counts an entry exactly at the time, keeps what was awarded after it, and takes no more than the floor allows", async () => {
    const clan = await makeClanCaller(world, port, {}, ["award", "deduct", "read"]);
    const { clanId } = clan;
    await clan.award("a", { amount: 100 });
    const [{ at }] = await entriesOf(clan, "a");
    await clan.award("b", { amount: 30 });
    await until(async () => new Date((await entriesOf(clan, "b"))[0].at) > new Date(at));
    await clan.award("a", { amount: 7 });
    await clan.award("c", { amount: 5 });
    const early = await cli.json("reset", clanId, "--at", at, "--yes");
    expect(early.answer).toMatchObject({ status: "done", at, members: 1, amount: "100" });
    expect([await clan.xpOf("a"), await clan.xpOf("b"), await clan.xpOf("c")]).toStrictEqual(["7", "30", "5"]);
    // What they had at that time is already taken.
    const again = await cli.json("reset", clanId, "--at", at, "--yes");
    expect(again.answer).toMatchObject({ members: 0, amount: "0", preview: { members: 0, amount: "0" } });
    // The floor allows less than what the member had at that time.
    await clan.award("b", { amount: -20 });
    await project(clan);
    const floor = await cli.json("reset", clanId, "--at", (await entriesOf(clan, "b"))[1].at, "--yes");
    expect(floor.answer).toMatchObject({ members: 1, amount: "10", preview: { members: 1, amount: "10" } });
  });

  test("counts nobody to whom the floor leaves all XP", async () => {
    const clan = await makeClanCaller(world, port, { xpFloor: 5n });
    await clan.award("above", { amount: 25 });
    await clan.award("at-the-floor", { amount: 1 });
    await project(clan);
    const { answer } = await cli.json("reset", clan.clanId, "--yes");
    expect(answer).toMatchObject({ members: 1, amount: "20", preview: { members: 1, amount: "20" } });
  });

  test("lowers ranks and keeps memberships, with events whose cause is the reset", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 1_500 });
    const before = expectResponse("read-member", await clan.get("/members/a"));
    const { resetId } = (await cli.json("reset", clan.clanId, "--keep", "10", "--yes")).answer;
    const after = expectResponse("read-member", await clan.get("/members/a"));
    expect(after).toMatchObject({ xp: "150", membership: before.membership });
    expect(after.rank).not.toBe(before.rank);
    const events = async () => expectResponse("list-events", await clan.get("/events")).events;
    await until(async () => (await events()).some(({ data }: any) => data.cause === "reset"));
    const seen = await events();
    const [changed] = seen.filter(({ data }: any) => data.cause === "reset");
    expect(changed.data).toMatchObject({ direction: "down", previousRank: before.rank, rank: after.rank, xp: "150" });
    expect(changed.data.ranksPassed).toStrictEqual([]);
    expect(seen.map(({ type }: any) => type)).not.toContain("reversal.done");
    expect((await cli.json("reconcile", "--clan", clan.clanId)).answer.differences).toStrictEqual([]);
    expect((await clan.get(`/reversals/${resetId}`)).status).toBe(404);
  });

  test("asks, and exits with code 1 without a yes or a terminal", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 7 });
    await project(clan);
    const [declining, confirming] = [answeringCliOn(env, false), answeringCliOn(env, true)];
    const rejected = { exitCode: 1, answer: { error: { code: "not_confirmed" } } };
    expect(await declining.json("reset", clan.clanId)).toMatchObject(rejected);
    const alone = await cli.json("reset", clan.clanId, "--at", inDays(1));
    expect(alone).toMatchObject(rejected);
    expect(alone.answer.error.message).toMatch(/^Nothing was reset. Add --yes to take 7 XP of 1 members at 20/);
    expect((await cli.json("reset", "list", clan.clanId)).answer).toStrictEqual({ resets: [] });
    expect(await confirming.json("reset", clan.clanId)).toMatchObject({ exitCode: 0, answer: { members: 1 } });
    for (const { questions } of [declining, confirming])
      expect(questions).toStrictEqual(["Take 7 XP of 1 members now?"]);
  });

  test("waits for a time that is to come, begins then, and can be cancelled before", async () => {
    const clan = await makeClanCaller(world, port);
    const { clanId } = clan;
    await clan.award("a", { amount: 50 });
    const at = inDays(89);
    const coming = await cli.json("reset", clanId, "--at", at, "--yes");
    expect(coming).toMatchObject({ exitCode: 0, answer: { status: "scheduled", at, members: 0, amount: "0" } });
    const { resetId } = coming.answer;
    expect((await cli.json("reset", "show", resetId)).answer).toMatchObject({ resetId, status: "scheduled" });
    const undo = await cli.json("reverse", clanId, "--reset", resetId, "--yes");
    expect(undo.exitCode).toBe(1);
    expect(undo.answer.error.message).toContain("clanxp reset cancel");
    expect((await cli.json("queue", "status")).answer).toMatchObject({ waiting: 0, active: 0, delayed: 0 });
    for (let times = 0; times < 2; times += 1)
      expect((await cli.json("reset", "cancel", resetId)).answer).toMatchObject({ resetId, status: "cancelled" });

    const soon = inDays(1);
    const begins = (await cli.json("reset", clanId, "--at", soon, "--yes")).answer;
    expect(begins.status).toBe("scheduled");
    // Its time comes only now, however long the command has taken.
    const records = world.database.db().collection<any>("reversals");
    await records.updateOne({ _id: begins.resetId }, { $set: { "selection.at": new Date() } });
    await until(async () => (await records.findOne({ _id: begins.resetId })).state === "done");
    expect(await clan.xpOf("a")).toBe("0");
    const listed = await cli.json("reset", "list", clanId);
    const states = listed.answer.resets.map(({ status, amount }: any) => [status, amount]);
    expect(states).toStrictEqual([
      ["done", "50"],
      ["cancelled", "0"],
    ]);
    expect((await cli.run("reset", "list", clanId)).stdout).toMatch(/^RESET +AT +KEEPS +STATUS[^]*\bdone +1 +50$/m);
    const late = await cli.json("reset", "cancel", begins.resetId);
    expect(late).toMatchObject({ exitCode: 1, answer: { error: { code: "reset_has_begun" } } });
    expect(late.answer.error.message).toContain(`clanxp reverse ${clanId} --reset ${begins.resetId}`);
    const audited = (await cli.json("audit", "list", "--clan", clanId)).answer.records;
    expect(audited.slice(0, 3)).toMatchObject([
      { action: "reset.submit", target: begins.resetId, after: { at: soon, keepPercent: 0, members: 1, amount: "50" } },
      { action: "reset.cancel", target: resetId, actor: "ada@example.org", after: { status: "cancelled" } },
      { action: "reset.submit", target: resetId, after: { resetId, members: null, amount: null } },
    ]);
  });

  test("is undone once by clanxp reverse --reset, also over HTTP, and gives back what was applied", async () => {
    const clan = await makeClanCaller(world, port, {}, ["award", "deduct", "read", "reverse"]);
    const { clanId } = clan;
    await clan.award("a", { amount: 205 });
    await clan.award("b", { amount: 20 });
    const { resetId } = (await cli.json("reset", clanId, "--keep", "50", "--yes")).answer;
    await clan.award("a", { amount: 3 });
    const preview = await cli.json("reverse", clanId, "--reset", resetId, "--dry-run");
    expect(preview.answer).toStrictEqual({ awards: 2, members: 2, amount: "-113" });
    const undone = await cli.json("reverse", clanId, "--reset", resetId, "--yes");
    expect(undone).toMatchObject({ exitCode: 0, answer: { by: { resetId }, selected: 2, reversed: 2, skipped: 0 } });
    expect([await clan.xpOf("a"), await clan.xpOf("b")]).toStrictEqual(["208", "20"]);
    const [back, , taken] = await entriesOf(clan, "a");
    expect(back).toMatchObject({ kind: "reversal", applied: "103", reverses: taken.awardId });
    expect(taken).toMatchObject({ kind: "reset", resetId, reversedBy: back.awardId });

    const { reversalId } = expectResponse("submit-reversal", await clan.post("/reversals", { by: { resetId } }), 202);
    const read = async () => expectResponse("read-reversal", await clan.get(`/reversals/${reversalId}`));
    await until(async () => (await read()).status === "done");
    expect(await read()).toMatchObject({ by: { resetId }, selected: 2, reversed: 0, skipped: 2 });
    // No other selection contains it.
    const others = await cli.json("reverse", clanId, "--member", "a", "--from", "2020-01-01", "--dry-run");
    expect(others.answer).toMatchObject({ awards: 2, amount: "208" });
    expect((await cli.json("reconcile", "--clan", clanId)).answer.differences).toStrictEqual([]);
  });

  test("rejects what it cannot do, with every fault at once, and changes nothing", async () => {
    const { clanId } = await makeClanCaller(world, port);
    const reason = "x".repeat(501);
    const all = await cli.json("reset", "a/b", "--at", "soon", "--keep", "101", "--reason", reason);
    expect(all.exitCode).toBe(2);
    const parts = ['"a/b" is not a clan id', "--at is a timestamp", "--keep is a whole number", "--reason has"];
    expect(all.answer.error.faults).toEqual(parts.map((part) => expect.stringContaining(part)));
    for (const at of [inDays(91), inDays(-91)]) {
      const far = await cli.json("reset", clanId, "--at", at, "--yes");
      const message = expect.stringContaining("--at is at most 90 days ahead or back");
      expect(far).toMatchObject({ exitCode: 2, answer: { error: { code: "usage", message } } });
    }
    const noReset = { exitCode: 1, answer: { error: { code: "reset_not_found" } } };
    const { clanId: otherId } = await makeClanCaller(world, port);
    const { resetId } = (await cli.json("reset", otherId, "--at", inDays(30), "--yes")).answer;
    for (const option of ["--dry-run", "--yes"])
      expect(await cli.json("reverse", clanId, "--reset", resetId, option)).toMatchObject(noReset);
    const { records } = (await cli.json("audit", "list", "--clan", clanId)).answer;
    expect(records.map(({ action }: any) => action)).not.toContain("reversal.submit");
    expect((await cli.json("reset", "list", clanId)).answer).toStrictEqual({ resets: [] });
  });

  test("accepts 20 resets of a clan that are not done", async () => {
    const { clanId } = await makeClanCaller(world, port);
    const args = ["reset", clanId, "--at", inDays(30), "--yes"];
    const { resetId } = (await cli.json(...args)).answer;
    const records = world.database.db().collection<any>("reversals");
    const record = await records.findOne({ _id: resetId });
    // One more is accepted.
    const others = Array.from({ length: RESETS_UNFINISHED_PER_CLAN_MAX - 2 }, (_, index) => `${resetId}${index}`);
    await records.insertMany(others.map((_id) => ({ ...record, _id })));
    expect((await cli.json(...args)).exitCode).toBe(0);
    const full = await cli.json(...args);
    expect(full).toMatchObject({ exitCode: 1, answer: { error: { code: "too_many_resets" } } });
    await cli.run("reset", "cancel", (await cli.json("reset", "list", clanId)).answer.resets[0].resetId);
    expect((await cli.json(...args)).exitCode).toBe(0);
  });
});
