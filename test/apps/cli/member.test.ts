// member add, remove, appoint and show.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn, untilComplete, type CommandLine } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { callerOf } from "../../support/http.ts";
import { makeWorld, type World } from "../../support/world.ts";

let world: World;
let cli: CommandLine;
let clanId: string;
let key: string;
let port: number;
let award: (platformId: string, amount: number, on?: number) => Promise<{ body: any }>;
let ledger: (platformId: string) => Promise<{ body: any }>;
beforeAll(async () => {
  world = await makeWorld();
  cli = patientCliOn({ MONGO_URL: world.mongoUrl });
  const made = await world.makeClan();
  clanId = made.clan.clanId;
  key = made.key;
  port = (await world.startApi()).port;
  award = (platformId, amount, on = port) =>
    callerOf(on, key).post(`/v0/clans/${clanId}/members/${platformId}/xp`, { amount });
  ledger = (platformId) => callerOf(port, key).get(`/v0/clans/${clanId}/members/${platformId}/ledger`);
});
afterAll(() => world.close());

const NOW_ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("member list", () => {
  test("prints a page as the API's list does, in both orders, and says that there are more", async () => {
    const own = await makeClanCaller(world, port);
    for (const [id, amount] of [
      ["m1", 5],
      ["m2", 150],
      ["m3", 20],
    ] as const)
      await own.award(id, { amount });
    await own.post("/names", { names: [{ platformId: "m2", name: "Zo\u00eb" }] });
    const withRedis = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
    for (const sort of ["xp", "platformId"]) {
      const { exitCode, answer } = await untilComplete(() =>
        withRedis.json("member", "list", own.clanId, "--sort", sort, "--limit", "2"),
      );
      expect([exitCode, answer]).toStrictEqual([0, (await own.get(`/members?sort=${sort}&limit=2&include=name`)).body]);
      expect(answer.members).toHaveLength(2);
    }
    const { stdout } = await withRedis.run("member", "list", own.clanId, "--limit", "2");
    expect(stdout).toMatch(/^MEMBER +NAME +XP +RANK +MEMBERSHIP SINCE\nm2 +Zo\u00eb +150 +Recruit +\d{4}-/);
    expect(stdout).toMatch(/\nm3 +20 +Guest +none\n\nThere are more/);
    expect((await withRedis.run("member", "list", own.clanId)).stdout).not.toContain("more members");
    const selected = async (...filter: string[]) => {
      const { answer } = await withRedis.json("member", "list", own.clanId, ...filter);
      return [answer.members.map((member: any) => member.platformId), answer.hasMore];
    };
    expect(await selected("--search", "zo")).toStrictEqual([["m2"], false]);
    expect(await selected("--search", "m", "--limit", "1")).toStrictEqual([["m1"], true]);
    expect(await selected("--rank", "Recruit")).toStrictEqual([["m2"], false]);
    expect(await selected("--rank", "Guest", "--search", "m3")).toStrictEqual([["m3"], false]);
    for (const filter of [
      ["--search", " "],
      ["--search", "m", "--sort", "platformId"],
    ])
      expect((await withRedis.json("member", "list", own.clanId, ...filter)).exitCode).toBe(2);
    const misspelt = await withRedis.json("member", "list", own.clanId, "--rank", "recruit");
    expect([misspelt.exitCode, misspelt.answer.error.code]).toStrictEqual([1, "rank_not_found"]);
    expect((await withRedis.run("member", "list", (await world.makeClan()).clan.clanId)).stdout).toBe("No members.\n");
  });

  test.each([
    ["--sort", "rank"],
    ["--limit", "0"],
    ["--limit", "201"],
  ])("rejects %s %s with exit code 2", async (...option) => {
    const { exitCode, answer } = await cli.json("member", "list", clanId, ...option);
    expect([exitCode, answer.error.message]).toStrictEqual([2, expect.stringContaining(`not "${option[1]}"`)]);
  });

  test("exits with code 1 for an unknown clan", async () => {
    expect((await cli.json("member", "list", "nobody")).answer.error.code).toBe("clan_not_found");
  });
});

describe("member add", () => {
  test("creates a member with exactly the documented fields", async () => {
    const { exitCode, answer } = await cli.json("member", "add", clanId, "new");
    expect(exitCode).toBe(0);
    expect(answer).toEqual({
      clanId,
      platformId: "new",
      xp: "0",
      rank: "Recruit",
      membership: { since: expect.stringMatching(NOW_ISO) },
    });
  });

  test("keeps existing XP", async () => {
    await award("guest", 40);
    expect((await cli.json("member", "show", clanId, "guest")).answer).toMatchObject({
      xp: "40",
      rank: "Guest",
      membership: null,
    });
    expect((await cli.json("member", "add", clanId, "guest")).answer).toMatchObject({ xp: "40", rank: "Recruit" });
    expect((await award("guest", 5)).body).toEqual({ platformId: "guest", xp: "45", rank: "Recruit" });
  });

  test("exits with code 0 and changes nothing when it is run again", async () => {
    const first = await cli.json("member", "add", clanId, "twice", "--rank", "Officer");
    const again = await cli.json("member", "add", clanId, "twice");
    expect(again.exitCode).toBe(0);
    expect(again.answer).toEqual(first.answer);
  });

  test("appoints to STAFF and OWNER ranks regardless of XP", async () => {
    expect((await cli.json("member", "add", clanId, "officer", "--rank", "Officer")).answer.rank).toBe("Officer");
    expect((await award("officer", 5_000)).body.rank).toBe("Officer");
    expect((await cli.json("member", "add", clanId, "officer", "--rank", "Chief")).answer).toMatchObject({
      xp: "5000",
      rank: "Chief",
    });
  });

  test.each([
    ["Oficer", "rank_not_found", 'Did you mean "Officer"?'],
    ["Recruit", "rank_not_appointable", "NORMAL"],
    ["Guest", "rank_not_appointable", "GUEST"],
  ])("exits with code 1 for --rank %s and creates no membership", async (rank, code, hint) => {
    const { exitCode, answer } = await cli.json("member", "add", clanId, `refused-${rank}`, "--rank", rank);
    expect([exitCode, answer.error.code]).toEqual([1, code]);
    expect(answer.error.message).toContain(hint);
    expect((await cli.json("member", "show", clanId, `refused-${rank}`)).exitCode).toBe(1);
  });

  test("exits with code 1 for an unknown clan", async () => {
    expect((await cli.json("member", "add", "nobody", "4711")).answer.error.code).toBe("clan_not_found");
  });
});

describe("member remove", () => {
  test("ends the membership but keeps the XP, and changes nothing when it is run again", async () => {
    await award("leaver", 500);
    const { exitCode, answer } = await cli.json("member", "remove", clanId, "leaver");
    expect([exitCode, answer]).toStrictEqual([
      0,
      { clanId, platformId: "leaver", xp: "500", rank: "Guest", membership: null },
    ]);
    const { body } = await ledger("leaver");
    expect(body.entries[0]).toMatchObject({
      kind: "membership",
      amount: "0",
      xp: "500",
      rank: "Guest",
      membershipCreated: false,
    });
    expect(await cli.json("member", "remove", clanId, "leaver")).toMatchObject({ exitCode: 0, answer });
    expect((await ledger("leaver")).body.entries).toHaveLength(2);
  });

  test("prevents an Auto Clan from restoring the membership on any process, until member add", async () => {
    const { port: other } = await world.startApi();
    await award("removed", 150);
    await cli.json("member", "remove", clanId, "removed");
    for (const process of [port, other]) {
      expect((await award("removed", 1_000, process)).body.rank).toBe("Guest");
    }
    await until(async () => (await cli.json("reconcile", "--clan", clanId)).exitCode === 0);
    expect((await cli.json("member", "add", clanId, "removed")).answer).toMatchObject({ xp: "2150", rank: "Veteran" });
    expect((await award("removed", 10)).body.rank).toBe("Veteran");
  });

  test("makes the member unknown in a clan that is not an Auto Clan", async () => {
    const closed = await world.makeClan({ autoClan: false });
    const post = (platformId: string) =>
      callerOf(port, closed.key).post(`/v0/clans/${closed.clan.clanId}/members/${platformId}/xp`, { amount: 5 });
    await cli.json("member", "add", closed.clan.clanId, "m");
    expect((await post("m")).status).toBe(200);
    await cli.json("member", "remove", closed.clan.clanId, "m");
    expect((await post("m")).body.code).toBe("member_not_found");
  });

  test("ends the appointment permanently", async () => {
    await cli.json("member", "add", clanId, "captain", "--rank", "Officer");
    await cli.json("member", "remove", clanId, "captain");
    expect((await cli.json("member", "add", clanId, "captain")).answer.rank).toBe("Recruit");
  });

  test("exits with code 1 if nothing is stored, and with code 0 for XP without a membership", async () => {
    const { exitCode, answer } = await cli.json("member", "remove", clanId, "never-seen");
    expect([exitCode, answer.error.code]).toStrictEqual([1, "member_not_found"]);
    await award("visitor", 5);
    expect(await cli.json("member", "remove", clanId, "visitor")).toMatchObject({
      exitCode: 0,
      answer: { xp: "5", membership: null },
    });
    expect((await ledger("visitor")).body.entries).toHaveLength(1);
    expect((await cli.json("member", "remove", "nobody", "4711")).answer.error.code).toBe("clan_not_found");
  });

  test("updates the list of members like the ledger, also when the list is rebuilt", async () => {
    await award("listed", 5_000);
    await cli.json("member", "remove", clanId, "listed");
    const isListed = async () =>
      (await callerOf(port, key).get(`/v0/clans/${clanId}/members?sort=platformId&limit=200`)).body.members.some(
        (member: any) => member.platformId === "listed" && member.membership === null && member.rank === "Guest",
      );
    await until(isListed);
    await world.database
      .db()
      .collection<any>("members")
      .deleteOne({ _id: `${clanId}/listed` });
    await cli.json("rebuild", "--clan", clanId);
    expect(await isListed()).toBe(true);
    const { port: restarted } = await world.startApi();
    expect((await award("listed", 1, restarted)).body.rank).toBe("Guest");
  });
});

describe("member appoint", () => {
  test("sets a STAFF or OWNER rank, and --rank none removes it", async () => {
    await award("crew", 2_000);
    expect((await cli.json("member", "appoint", clanId, "crew", "--rank", "Officer")).answer).toMatchObject({
      xp: "2000",
      rank: "Officer",
    });
    expect((await award("crew", 10)).body.rank).toBe("Officer");
    expect((await cli.json("member", "appoint", clanId, "crew", "--rank", "Chief")).answer.rank).toBe("Chief");
    const { exitCode, answer } = await cli.json("member", "appoint", clanId, "crew", "--rank", "none");
    expect([exitCode, answer.rank]).toStrictEqual([0, "Veteran"]);
    expect((await award("crew", 10)).body.rank).toBe("Veteran");
    const kinds = (await ledger("crew")).body.entries.map((entry: any) => entry.kind);
    expect(kinds).toStrictEqual([undefined, "appointment", "appointment", undefined, "appointment", undefined]);
    // Repeated: no change.
    await cli.json("member", "appoint", clanId, "crew", "--rank", "none");
    expect((await ledger("crew")).body.entries).toHaveLength(kinds.length);
  });

  test("exits with code 1 for a player without a membership, and creates none", async () => {
    await award("passer-by", 5);
    for (const platformId of ["passer-by", "never-seen"]) {
      const { exitCode, answer } = await cli.json("member", "appoint", clanId, platformId, "--rank", "Officer");
      expect([exitCode, answer.error.code]).toStrictEqual([1, "member_not_found"]);
    }
    expect((await cli.json("member", "show", clanId, "passer-by")).answer.membership).toBe(null);
  });

  test.each([
    ["Oficer", "rank_not_found"],
    ["Recruit", "rank_not_appointable"],
    ["Guest", "rank_not_appointable"],
  ])("exits with code 1 for --rank %s", async (rank, code) => {
    const { exitCode, answer } = await cli.json("member", "appoint", clanId, "officer", "--rank", rank);
    expect([exitCode, answer.error.code]).toStrictEqual([1, code]);
  });

  test("exits with code 2 without --rank", async () => {
    expect((await cli.json("member", "appoint", clanId, "officer")).exitCode).toBe(2);
  });
});

describe("member name", () => {
  test("sets and deletes a name, which member show shows, and rejects what is no name with exit code 2", async () => {
    await world.members.join({ clanId, platformId: "named" }, new Date(), null);
    const shown = async () => (await cli.json("member", "show", clanId, "named")).answer.name;
    expect((await cli.json("member", "name", clanId, "named", " Ada ")).answer).toMatchObject({ name: "Ada" });
    expect(await shown()).toBe("Ada");
    expect((await cli.run("member", "show", clanId, "named")).stdout).toMatch(/^name +Ada$/m);
    expect((await cli.json("member", "name", clanId, "named", "a\u202eb")).exitCode).toBe(2);
    expect((await cli.json("member", "name", "no-such-clan", "named", "Ada")).exitCode).toBe(1);
    expect((await cli.json("member", "name", clanId, "named", "none")).answer).toMatchObject({ name: null });
    expect(await shown()).toBeNull();
  });
});

describe("member show", () => {
  test("exits with code 1 if nothing is stored", async () => {
    const { exitCode, answer } = await cli.json("member", "show", clanId, "never-seen");
    expect([exitCode, answer.error.code]).toEqual([1, "member_not_found"]);
  });

  test("accepts IDs that look like options or numbers", async () => {
    await world.members.join({ clanId, platformId: "-5" }, new Date(), null);
    await world.members.join({ clanId, platformId: "-x" }, new Date(), null);
    expect((await cli.json("member", "show", clanId, "-5")).answer.platformId).toBe("-5");
    const literal = await cli.run("member", "show", "--json", clanId, "--", "-x");
    expect(JSON.parse(literal.stdout).platformId).toBe("-x");
  });

  test.each([".", "..", "a/b", "a b", "x".repeat(65), "", "$gt"])(
    "rejects the platform ID %j with exit code 2",
    async (platformId) => {
      expect((await cli.json("member", "show", clanId, platformId)).exitCode).toBe(2);
      expect((await cli.json("member", "add", clanId, platformId)).exitCode).toBe(2);
    },
  );
});
