// reset: its preview, question, wait, list, cancel, undo and errors. That it is exact about its time is the subject of
// test/libs/store/reversals/read-of-members.test.ts and test/faults/resets.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectResponse } from "../../support/responses.ts";
import { cliOn, type CommandLine } from "../../support/cli.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { until } from "../../support/until.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
let env: Record<string, string>;
let cli: CommandLine;
let port: number;
beforeAll(async () => {
  world = await makeWorld();
  env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada@example.org" };
  cli = cliOn(env);
  port = (await world.startApi()).port;
  await world.startWorker();
});
afterAll(() => world.close());

const DAY_MS = 24 * 60 * 60_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

async function entriesOf(clan: ClanCaller, platformId: string): Promise<any[]> {
  return expectResponse("read-ledger", await clan.get(`/members/${platformId}/ledger`)).entries;
}

async function xpOf(clan: ClanCaller, platformId: string): Promise<string> {
  return expectResponse("read-member", await clan.get(`/members/${platformId}`)).xp;
}

describe("clanxp reset", () => {
  test("with --dry-run counts what it would take, and changes nothing", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 105 });
    await clan.award("b", { amount: 1 });
    await clan.award("c", { amount: 0 });
    const { exitCode, answer } = await cli.json("reset", clan.clanId, "--keep", "50", "--dry-run");
    expect({ exitCode, answer }).toStrictEqual({ exitCode: 0, answer: { members: 2, amount: "54" } });
    expect(await entriesOf(clan, "a")).toHaveLength(1);
  });

  test("with --yes takes what each member has, once, and waits for the workers", async () => {
    const clan = await makeClanCaller(world, port);
    await clan.award("a", { amount: 250 });
    await clan.award("b", { amount: 1 });
    await clan.award("c", { amount: 0 });
    const ran = await cli.json("reset", clan.clanId, "--keep", "10", "--reason", "Season 4", "--yes");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
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
    expect(await xpOf(clan, "a")).toBe("25");
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
});
