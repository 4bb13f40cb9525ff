// member add, member show.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cliOn, type CommandLine } from "../support/cli.ts";
import { callerOf } from "../support/http.ts";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
let cli: CommandLine;
let clanId: string;
let award: (platformId: string, amount: number) => Promise<{ body: any }>;
beforeAll(async () => {
  world = await makeWorld();
  cli = cliOn({ MONGO_URL: world.mongoUrl });
  const { clan, key } = await world.makeClan();
  clanId = clan.clanId;
  const { port } = await world.startApi();
  award = (platformId, amount) => callerOf(port, key).post(`/v0/clans/${clanId}/members/${platformId}/xp`, { amount });
});
afterAll(() => world.close());

const NOW_ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("member add", () => {
  test("makes a member with exactly the promised fields", async () => {
    const { exitCode, answer } = await cli.json("member", "add", clanId, "new");
    expect(exitCode).toBe(0);
    expect(answer).toEqual({ clanId, platformId: "new", xp: "0", rank: "Recruit", membership: { since: expect.stringMatching(NOW_ISO) } });
  });

  test("keeps the XP there is", async () => {
    await award("guest", 40);
    expect((await cli.json("member", "show", clanId, "guest")).answer).toMatchObject({ xp: "40", rank: "Guest", membership: null });
    expect((await cli.json("member", "add", clanId, "guest")).answer).toMatchObject({ xp: "40", rank: "Recruit" });
    expect((await award("guest", 5)).body).toEqual({ platformId: "guest", xp: "45", rank: "Recruit" });
  });

  test("repeated: exit 0, no change", async () => {
    const first = await cli.json("member", "add", clanId, "twice", "--rank", "Officer");
    const again = await cli.json("member", "add", clanId, "twice");
    expect(again.exitCode).toBe(0);
    expect(again.answer).toEqual(first.answer);
  });

  test("appoints to STAFF and OWNER ranks, whatever the XP", async () => {
    expect((await cli.json("member", "add", clanId, "officer", "--rank", "Officer")).answer.rank).toBe("Officer");
    expect((await award("officer", 5_000)).body.rank).toBe("Officer");
    expect((await cli.json("member", "add", clanId, "officer", "--rank", "Chief")).answer).toMatchObject({ xp: "5000", rank: "Chief" });
  });

  test.each([
    ["Oficer", "rank_not_found", 'Did you mean "Officer"?'],
    ["Recruit", "rank_not_appointable", "NORMAL"],
    ["Guest", "rank_not_appointable", "GUEST"],
  ])("--rank %s: exit 1, no membership", async (rank, code, hint) => {
    const { exitCode, answer } = await cli.json("member", "add", clanId, `refused-${rank}`, "--rank", rank);
    expect([exitCode, answer.error.code]).toEqual([1, code]);
    expect(answer.error.message).toContain(hint);
    expect((await cli.json("member", "show", clanId, `refused-${rank}`)).exitCode).toBe(1);
  });

  test("in an unknown clan: exit 1", async () => {
    expect((await cli.json("member", "add", "nobody", "4711")).answer.error.code).toBe("clan_not_found");
  });
});

describe("member show", () => {
  test("nothing kept: exit 1", async () => {
    const { exitCode, answer } = await cli.json("member", "show", clanId, "never-seen");
    expect([exitCode, answer.error.code]).toEqual([1, "member_not_found"]);
  });

  test("ids that look like options or numbers", async () => {
    await world.members.join({ clanId, platformId: "-5" }, new Date(), null);
    await world.members.join({ clanId, platformId: "-x" }, new Date(), null);
    expect((await cli.json("member", "show", clanId, "-5")).answer.platformId).toBe("-5");
    const literal = await cli.run("member", "show", "--json", clanId, "--", "-x");
    expect(JSON.parse(literal.stdout).platformId).toBe("-x");
  });

  test.each([".", "..", "a/b", "a b", "x".repeat(65), "", "$gt"])("refuses the platform id %j: exit 2", async (platformId) => {
    expect((await cli.json("member", "show", clanId, platformId)).exitCode).toBe(2);
    expect((await cli.json("member", "add", clanId, platformId)).exitCode).toBe(2);
  });
});
