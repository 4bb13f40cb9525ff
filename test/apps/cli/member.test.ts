// member add, remove, appoint and show.
import { describe, expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn, untilComplete } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port, clan } = await useApi();
const { clanId } = clan;
const cli = patientCliOn({ MONGO_URL: world.mongoUrl });
const award = (platformId: string, amount: number) => clan.award(platformId, { amount });
const ledger = (platformId: string) => clan.get(`/members/${platformId}/ledger`);

describe("member list", () => {
  test("prints a page as the API's list does, in both orders, and says that there are more", async () => {
    const own = await makeClanCaller(world, port);
    for (const [index, amount] of [5, 150, 20].entries()) await own.award(`m${index + 1}`, { amount });
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
    expect((await withRedis.run("member", "list", (await world.makeClan()).clan.clanId)).stdout).toBe("No members.\n");
  });
});

describe("member add", () => {
  test("creates a member with exactly the documented fields", async () => {
    const { exitCode, answer } = await cli.json("member", "add", clanId, "new");
    const membership = { since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) };
    expect([exitCode, answer]).toEqual([0, { clanId, platformId: "new", xp: "0", rank: "Recruit", membership }]);
  });

  test("keeps existing XP", async () => {
    await award("guest", 40);
    const before = { xp: "40", rank: "Guest", membership: null };
    expect((await cli.json("member", "show", clanId, "guest")).answer).toMatchObject(before);
    expect((await cli.json("member", "add", clanId, "guest")).answer).toMatchObject({ xp: "40", rank: "Recruit" });
    expect((await award("guest", 5)).body).toEqual({ platformId: "guest", xp: "45", rank: "Recruit" });
  });

  test("appoints to STAFF and OWNER ranks regardless of XP, and changes nothing when it is run again", async () => {
    const add = (...rank: string[]) => cli.json("member", "add", clanId, "officer", ...rank);
    const first = await add("--rank", "Officer");
    expect(first.answer.rank).toBe("Officer");
    expect(await add()).toMatchObject({ exitCode: 0, answer: first.answer });
    expect((await award("officer", 5_000)).body.rank).toBe("Officer");
    expect((await add("--rank", "Chief")).answer).toMatchObject({ xp: "5000", rank: "Chief" });
  });

  test.each([
    ["Oficer", "rank_not_found", 'Did you mean "Officer"?'],
    ["Recruit", "rank_not_appointable", "NORMAL"],
    ["Guest", "rank_not_appointable", "GUEST"],
  ])("exits with code 1 for --rank %s and creates no membership, as member appoint", async (rank, code, hint) => {
    for (const command of ["add", "appoint"]) {
      const { exitCode, answer } = await cli.json("member", command, clanId, `refused-${rank}`, "--rank", rank);
      expect([command, exitCode, answer.error.code]).toEqual([command, 1, code]);
      expect(answer.error.message).toContain(hint);
    }
    expect((await cli.json("member", "show", clanId, `refused-${rank}`)).exitCode).toBe(1);
  });
});

describe("member remove", () => {
  test("ends the membership but keeps the XP, and changes nothing when it is run again", async () => {
    await award("leaver", 500);
    const { exitCode, answer } = await cli.json("member", "remove", clanId, "leaver");
    const left = { xp: "500", rank: "Guest" };
    expect([exitCode, answer]).toStrictEqual([0, { clanId, platformId: "leaver", ...left, membership: null }]);
    const { body } = await ledger("leaver");
    expect(body.entries[0]).toMatchObject({ kind: "membership", amount: "0", ...left, membershipCreated: false });
    expect(await cli.json("member", "remove", clanId, "leaver")).toMatchObject({ exitCode: 0, answer });
    expect((await ledger("leaver")).body.entries).toHaveLength(2);
  });

  test("prevents an Auto Clan from restoring the membership on any process, until member add", async () => {
    const { port: other } = await world.startApi();
    await award("removed", 150);
    await cli.json("member", "remove", clanId, "removed");
    for (const process of [port, other]) {
      expect((await clan.on(process).award("removed", { amount: 1_000 })).body.rank).toBe("Guest");
    }
    await until(async () => (await cli.json("reconcile", "--clan", clanId)).exitCode === 0);
    expect((await cli.json("member", "add", clanId, "removed")).answer).toMatchObject({ xp: "2150", rank: "Veteran" });
    expect((await award("removed", 10)).body.rank).toBe("Veteran");
  });

  test("makes the member unknown in a clan that is not an Auto Clan", async () => {
    const closed = await makeClanCaller(world, port, { autoClan: false });
    await cli.json("member", "add", closed.clanId, "m");
    expect((await closed.award("m", { amount: 5 })).status).toBe(200);
    await cli.json("member", "remove", closed.clanId, "m");
    expect((await closed.award("m", { amount: 5 })).body.code).toBe("member_not_found");
  });

  test("ends the appointment permanently", async () => {
    await cli.json("member", "add", clanId, "captain", "--rank", "Officer");
    await cli.json("member", "remove", clanId, "captain");
    expect((await cli.json("member", "add", clanId, "captain")).answer.rank).toBe("Recruit");
  });

  test("exits with code 0 for XP without a membership", async () => {
    await award("visitor", 5);
    expect(await cli.json("member", "remove", clanId, "visitor")).toMatchObject({
      exitCode: 0,
      answer: { xp: "5", membership: null },
    });
    expect((await ledger("visitor")).body.entries).toHaveLength(1);
  });
});

describe("member appoint", () => {
  test("sets a STAFF or OWNER rank, and --rank none removes it", async () => {
    await award("crew", 2_000);
    const appoint = (rank: string) => cli.json("member", "appoint", clanId, "crew", "--rank", rank);
    expect((await appoint("Officer")).answer).toMatchObject({ xp: "2000", rank: "Officer" });
    expect((await award("crew", 10)).body.rank).toBe("Officer");
    expect((await appoint("Chief")).answer.rank).toBe("Chief");
    const { exitCode, answer } = await appoint("none");
    expect([exitCode, answer.rank]).toStrictEqual([0, "Veteran"]);
    expect((await award("crew", 10)).body.rank).toBe("Veteran");
    const kinds = (await ledger("crew")).body.entries.map((entry: any) => entry.kind);
    expect(kinds).toStrictEqual([undefined, "appointment", "appointment", undefined, "appointment", undefined]);
    // Repeated: no change.
    await appoint("none");
    expect((await ledger("crew")).body.entries).toHaveLength(kinds.length);
  });

  test("exits with code 1 for a player without a membership, and creates none", async () => {
    await award("passer-by", 5);
    const { exitCode, answer } = await cli.json("member", "appoint", clanId, "passer-by", "--rank", "Officer");
    expect([exitCode, answer.error.code]).toStrictEqual([1, "member_not_found"]);
    expect((await cli.json("member", "show", clanId, "passer-by")).answer.membership).toBe(null);
  });
});

describe("member name", () => {
  test("sets and deletes a name, which member show shows", async () => {
    await world.members.join({ clanId, platformId: "named" }, new Date(), null);
    const shown = async () => (await cli.json("member", "show", clanId, "named")).answer.name;
    expect((await cli.json("member", "name", clanId, "named", " Ada ")).answer).toMatchObject({ name: "Ada" });
    expect(await shown()).toBe("Ada");
    expect((await cli.run("member", "show", clanId, "named")).stdout).toMatch(/^name +Ada$/m);
    expect((await cli.json("member", "name", clanId, "named", "none")).answer).toMatchObject({ name: null });
    expect(await shown()).toBeNull();
  });
});

describe("member show", () => {
  test("accepts IDs that look like options or numbers", async () => {
    await world.members.join({ clanId, platformId: "-5" }, new Date(), null);
    await world.members.join({ clanId, platformId: "-x" }, new Date(), null);
    expect((await cli.json("member", "show", clanId, "-5")).answer.platformId).toBe("-5");
    const literal = await cli.run("member", "show", "--json", clanId, "--", "-x");
    expect(JSON.parse(literal.stdout).platformId).toBe("-x");
  });
});
