// member erase: nothing of a person is left, whatever was stored, remembered or in progress, and the others' data stays
// true.
import { describe, expect, test } from "vitest";
import { ERASED } from "#domain/erased.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import { makeRoleSyncStore } from "#delivery/store/role-sync-store.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { until } from "../../support/until.ts";
import { answeringCliOn, patientCliOn } from "../../support/cli.ts";
import { whereIs } from "../../support/where-is.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port, clan: first } = await useApi({ worker: true });
const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
const cli = patientCliOn(env);
const second = first.on((await world.startApi()).port);
const { clanId } = first;
const fileOf = useFiles();

const via = (which: number): ClanCaller => (which % 2 === 0 ? first : second);
const reasonOf = (platformId: string): string => `cup-of-${[...platformId].toReversed().join("")}`;
const ledger = () => world.database.db().collection<any>("ledger");

async function history(platformId: string): Promise<void> {
  // Both processes commit, so that both remember the member.
  for (let index = 0; index < 6; index += 1) {
    const award = { amount: 100, reason: reasonOf(platformId), source: { matchId: `match-of-${platformId}` } };
    expect((await via(index).award(platformId, award, { "idempotency-key": `${platformId}/${index}` })).status).toBe(
      200,
    );
  }
}

const erase = (...args: string[]) => cli.json("member", "erase", ...args, "--yes");

// An erasure mostly waits, so several run at the same time.
describe.concurrent("member erase", () => {
  test("removes platform ID and reasons from all collections and Redis, keeps batches, and restarts XP at 0", async () => {
    await history("gone-4711");
    const reversal = ["--member", "gone-4711", "--from", "2020-01-01", "--reason", reasonOf("gone-4711"), "--yes"];
    expect((await cli.json("reverse", clanId, ...reversal)).answer).toMatchObject({ reversed: 6 });
    const final = { amount: 5, source: { matchId: "final" } };
    for (const platformId of ["gone-4711", "stays"]) expect((await via(0).award(platformId, final)).status).toBe(200);
    const ofMatch = ["--match", "final", "--reason", "gone-4711 cheated", "--yes"];
    const { reversalId } = (await cli.json("reverse", clanId, ...ofMatch)).answer;
    await world.members.join({ clanId, platformId: "gone-4711" }, new Date(), "Officer");
    const done = [
      { platformId: "gone-4711", amount: 10 },
      { platformId: "stays", amount: 10 },
      { platformId: "gone-4711", amount: "no" },
    ];
    const before = await via(0).submit(done, { "idempotency-key": "done" });
    await cli.run("queue", "pause");
    const waiting = [
      { platformId: "stays", amount: 20 },
      { platformId: "gone-4711", amount: 20 },
    ];
    expect((await via(0).submit(waiting, { "idempotency-key": "waiting", prefer: "respond-async" })).status).toBe(202);
    await via(0).post("/names", { names: [{ platformId: "gone-4711", name: "Gone 4711" }] });
    const destination = { destinationId: "dst_of_this_test", clanId };
    await makeRoleSyncStore(world.database).mark(destination, ["gone-4711", "stays"], { dueInMs: 0, waitMsMax: 0 });
    expect((await whereIs(world, "gone-4711")).length).toBeGreaterThan(9);

    const { exitCode, answer } = await erase(clanId, "gone-4711");
    expect(exitCode).toBe(0);
    expect(answer).toMatchObject({
      clanId: clanId,
      status: "done",
      // Of reversals two records, and an entry of the other one in the match.
      erased: { entries: 16, batches: 2, reversals: 3 },
      backups: expect.any(String),
    });
    expect(await whereIs(world, "gone-4711")).toStrictEqual([]);
    expect(await whereIs(world, reasonOf("gone-4711"))).toStrictEqual([]);
    expect((await via(0).get("/members/gone-4711")).status).toBe(404);
    const { body: reversed } = await via(0).get(`/reversals/${reversalId}`);
    expect(reversed).toMatchObject({ by: { matchId: "final" }, reason: null });
    expect((await via(0).get("/members/stays/ledger")).body.entries[0]).not.toHaveProperty("reason");

    await cli.run("queue", "resume");
    const replay = await via(1).submit(done, { "idempotency-key": "done" });
    expect([replay.status, replay.headers.get("idempotency-replayed")]).toStrictEqual([200, "true"]);
    const nameless = (result: any) => ({ ...result, platformId: result.platformId === "stays" ? "stays" : ERASED });
    expect(replay.body).toStrictEqual({ ...before.body, results: before.body.results.map(nameless) });
    const after = await via(1).submit(waiting, { "idempotency-key": "waiting", prefer: "wait=20" });
    expect(after.body).toMatchObject({
      applied: 1,
      results: [
        { platformId: "stays", status: "applied", xp: "30" },
        { platformId: ERASED, status: "rejected", error: { code: "cancelled" } },
      ],
    });
    expect(await whereIs(world, "gone-4711")).toStrictEqual([]);
    expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });

    expect(await whereIs(world, "Gone 4711")).toStrictEqual([]);
    for (const [index, xp] of ["7", "14", "21"].entries()) {
      const { body } = await via(index).award("gone-4711", { amount: 7 }, { "idempotency-key": `gone-4711/${index}` });
      expect(body).toStrictEqual({ platformId: "gone-4711", xp, rank: "Guest" });
    }
    expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });
  });

  test("keeps what people did to the member in the audit log, without the member, in the same order", async () => {
    const clan = await makeClanCaller(world, port);
    const own = patientCliOn({ ...env, CLANXP_ACTOR: "ada" });
    const audit = async () => (await own.json("audit", "list", "--clan", clan.clanId)).answer.records;
    await own.run("rank", "set", clan.clanId, "--rank", "Officer:STAFF");
    await own.run("member", "add", clan.clanId, "done-to-4711", "--rank", "Officer");
    // An import has one record, which names nobody.
    const file = fileOf("one.csv", "platform_id,xp,membership\ndone-to-4711,5,true\n");
    expect((await own.run("import", clan.clanId, file)).exitCode).toBe(0);
    await clan.award("done-to-4711", { amount: 30 });
    await own.run("reverse", clan.clanId, "--member", "done-to-4711", "--from", "2020-01-01", "--yes");
    await own.run("member", "remove", clan.clanId, "done-to-4711");
    // Another test of this file pauses the queue for a while.
    await until(async () => (await audit())[1].after.selected === 2);
    const before = (await audit()) as any[];
    expect(before.slice(0, 4).map(({ action }) => action)).toStrictEqual([
      "member.remove",
      "reversal.submit",
      "member.import",
      "member.appoint",
    ]);
    expect((await erase(clan.clanId, "done-to-4711")).exitCode).toBe(0);
    expect(await whereIs(world, "done-to-4711")).toStrictEqual([]);
    const withoutMember = before.map((one) => (one.target === "done-to-4711" ? { ...one, target: ERASED } : one));
    expect((await audit()).filter(({ action }: any) => action !== "member.erase")).toStrictEqual(withoutMember);
  });

  test("starts the new chain at 1 without the old XP under load from two processes, with correct responses", async () => {
    await history("busy-4711");
    // More than the new chain can reach while the load runs.
    const oldXp = 1_000_600n;
    expect((await via(0).award("busy-4711", { amount: 1_000_000 })).body.xp).toBe(String(oldXp));
    const ending = new AbortController();
    const answers: { status: number; xp: bigint; code: string }[] = [];
    const load = [0, 1, 2, 3].map(async (which) => {
      while (!ending.signal.aborted) {
        const sentAtMs = performance.now();
        const { status, body } = await via(which).award("busy-4711", { amount: 1 });
        // It waits for the erasure, but no longer than this: nothing was applied, and it is sent again.
        if (body.code === "busy" && performance.now() - sentAtMs >= AWARD_DEADLINE_MS) continue;
        answers.push({ status, xp: BigInt(body.xp ?? -1), code: body.code ?? "" });
      }
    });
    const { exitCode } = await erase(clanId, "busy-4711");
    const erasedAfter = answers.length;
    await until(async () => answers.length > erasedAfter + 20);
    ending.abort();
    await Promise.all(load);

    expect(exitCode).toBe(0);
    expect(new Set(answers.map(({ status, code }) => `${status} ${code}`.trim()))).toStrictEqual(new Set(["200"]));
    const chain = await ledger().find({ "_id.platformId": "busy-4711" }).sort({ _id: 1 }).toArray();
    expect(chain.map(({ _id, xp }) => [_id.seq, xp])).toStrictEqual(
      chain.map((_, index) => [index + 1, BigInt(index + 1)]),
    );
    // Answered after the erasure with the XP of the new chain; before it, with more than the old XP.
    expect(answers.filter(({ xp }) => xp < oldXp).length).toBe(chain.length);
    expect((await cli.json("reconcile", "--clan", clanId)).answer).toMatchObject({ differences: [] });
  });

  test("with --all-clans erases the person in every clan, even where only a batch names them, and nobody else", async () => {
    const others = await Promise.all([makeClanCaller(world, port), makeClanCaller(world, port, { autoClan: false })]);
    await history("every-4711");
    await history("other-4711");
    expect((await others[0].award("every-4711", { amount: 5 })).status).toBe(200);
    await others[1].submit([{ platformId: "every-4711", amount: 5 }], { prefer: "respond-async" });

    const { exitCode, answer } = await erase("--all-clans", "every-4711");
    expect([exitCode, answer.clanId, answer.erased]).toStrictEqual([0, null, { entries: 7, batches: 1, reversals: 0 }]);
    expect(await whereIs(world, "every-4711")).toStrictEqual([]);
    expect((await via(0).get("/members/other-4711")).body.xp).toBe("600");
  });

  test("exits with code 0 and counts nothing if nothing is stored", async () => {
    expect((await erase(clanId, "never-seen")).answer.erased).toStrictEqual({ entries: 0, batches: 0, reversals: 0 });
  });

  test("erases the name of a player of whom nothing else is stored, in every clan", async () => {
    const other = await makeClanCaller(world, port);
    for (const clan of [via(0), other])
      await clan.post("/names", { names: [{ platformId: "named-only", name: "Nobody Else" }] });
    expect((await erase("--all-clans", "named-only")).exitCode).toBe(0);
    expect(await whereIs(world, "named-only")).toStrictEqual([]);
    expect(await whereIs(world, "Nobody Else")).toStrictEqual([]);
  });

  test("asks on a terminal, and does nothing without a yes", async () => {
    expect((await via(0).award("asked", { amount: 5 })).status).toBe(200);
    const declining = answeringCliOn(env, false);
    const { exitCode, answer } = await declining.json("member", "erase", clanId, "asked");
    expect([exitCode, answer.error.code]).toStrictEqual([1, "not_confirmed"]);
    expect(declining.questions).toStrictEqual([expect.stringContaining('Erase all data of "asked"')]);
    expect((await via(0).get("/members/asked")).body.xp).toBe("5");
    const unasked = await cli.json("member", "erase", clanId, "asked");
    expect([unasked.exitCode, unasked.answer.error.message]).toStrictEqual([2, expect.stringContaining("--yes")]);
    expect((await via(0).get("/members/asked")).body.xp).toBe("5");
  });
});
