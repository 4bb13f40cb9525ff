// rank set: the list, its preview, renames, and what needs to be confirmed.
import { describe, expect, test } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { answeringCliOn, patientCliOn, untilComplete } from "../../support/cli.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl };
const cli = patientCliOn(env);
const clanId = (await world.makeClan()).clan.clanId;

function setRanks(...specs: string[]) {
  return cli.json("rank", "set", clanId, ...specs.flatMap((spec) => ["--rank", spec]));
}

describe("rank set", () => {
  test.each([
    [
      ["Recruit:NORMAL:100", "Elite:NORMAL:10000"],
      ["Guest GUEST", "Recruit NORMAL 100", "Elite NORMAL 10000"],
      "the guest rank is added",
    ],
    [
      ["Crew:NORMAL:0", "Visitor:GUEST", "Boss:OWNER"],
      ["Crew NORMAL 0", "Visitor GUEST", "Boss OWNER"],
      "the order and the given guest rank are kept",
    ],
    [
      ["Tier: I:NORMAL:5", "a:b:STAFF", "NORMAL:STAFF"],
      ["Guest GUEST", "Tier: I NORMAL 5", "a:b STAFF", "NORMAL STAFF"],
      "a name may contain colons",
    ],
    [["Top:NORMAL:9223372036854775807"], ["Guest GUEST", "Top NORMAL 9223372036854775807"], "thresholds are Int64"],
    [["Aide:STAFF", "Head:OWNER"], ["Guest GUEST", "Aide STAFF", "Head OWNER"], "NORMAL ranks are optional"],
  ])("turns %j into %j (%s)", async (specs, expected) => {
    const { exitCode, answer } = await setRanks(...specs);
    expect(exitCode).toBe(0);
    const ranks = answer.ranks.map(({ name, kind, threshold }: Record<string, string>) =>
      [name, kind, ...(threshold ? [threshold] : [])].join(" "),
    );
    expect(ranks).toEqual(expected);
    expect(Object.keys(answer)).toEqual(["clanId", "name", "autoClan", "ranks", "xpFloor", "xpCap", "amountMax"]);
    expect((await cli.json("clan", "show", clanId)).answer).toEqual({ ...answer, publicPage: null });
  });

  test("lists the faults of all ranks together, and suggests the intended kind", async () => {
    const { answer } = await setRanks("A:NORML:5", "B:STAFF:5", "C");
    expect(answer.error.faults).toHaveLength(3);
    expect(answer.error.faults[0]).toContain('Did you mean "NORMAL"?');
  });
});

describe("rank set in a clan with members", () => {
  const LIST = ["Recruit:NORMAL:100", "Veteran:NORMAL:1000", "Officer:STAFF", "Chief:OWNER"];
  const args = (specs: readonly string[]) => specs.flatMap((spec) => ["--rank", spec]);
  const set = (clan: string, specs: readonly string[], ...more: string[]) =>
    cli.json("rank", "set", clan, ...args(specs), ...more);
  const rankIn = async (clan: string, platformId: string) =>
    (await cli.json("member", "show", clan, platformId)).answer.rank;

  /** Members of 0, 500, 1500 and 2500 XP, an Officer, a Chief, and somebody with XP and no membership. */
  async function livedIn(): Promise<string> {
    const { clan } = await world.makeClan();
    await set(clan.clanId, LIST, "--yes");
    for (const xp of [0n, 500n, 1500n, 2500n]) {
      await world.members.join({ clanId: clan.clanId, platformId: `xp${xp}` }, new Date(), null);
      await world.setXp({ clanId: clan.clanId, platformId: `xp${xp}` }, xp);
    }
    await world.members.join({ clanId: clan.clanId, platformId: "officer" }, new Date(), "Officer");
    await world.members.join({ clanId: clan.clanId, platformId: "chief" }, new Date(), "Chief");
    await world.setXp({ clanId: clan.clanId, platformId: "guest" }, 50n);
    return clan.clanId;
  }

  test("with --dry-run counts promotions, demotions and ending appointments, and changes nothing", async () => {
    const clan = await livedIn();
    const before = (await cli.json("clan", "show", clan)).answer;
    const next = ["Recruit:NORMAL:100", "Veteran:NORMAL:2000", "Elite:NORMAL:2400", "Chief:OWNER"];
    const { exitCode, answer } = await set(clan, next, "--dry-run");
    expect([exitCode, answer]).toStrictEqual([
      0,
      {
        clanId: clan,
        dryRun: true,
        members: 6,
        rise: 1,
        fall: 2,
        changed: 3,
        droppedAppointments: 1,
        ranks: [
          { name: "Guest", kind: "GUEST", before: 0, after: 0, rise: 0, fall: 0 },
          { name: "Recruit", kind: "NORMAL", threshold: "100", before: 2, after: 4, rise: 0, fall: 2 },
          { name: "Veteran", kind: "NORMAL", threshold: "2000", before: 2, after: 0, rise: 0, fall: 0 },
          { name: "Elite", kind: "NORMAL", threshold: "2400", before: 0, after: 1, rise: 1, fall: 0 },
          { name: "Chief", kind: "OWNER", before: 1, after: 1, rise: 0, fall: 0 },
          { name: "Officer", kind: "STAFF", before: 1, after: 0, rise: 0, fall: 0 },
        ],
      },
    ]);
    expect((await cli.json("clan", "show", clan)).answer).toStrictEqual(before);
    const text = (await cli.run("rank", "set", clan, ...args(next), "--dry-run")).stdout;
    expect(text).toContain("1 rise, 2 fall, 0 get another rank; 1 appointment ends");
  });

  test("counts members with every award that was acknowledged before", async () => {
    const caller = await makeClanCaller(world, (await world.startApi()).port);
    // From here on Redis has the API as one that is to be asked.
    await caller.get("/members");
    await caller.award("riser", { amount: 150 });
    const next = ["Recruit:NORMAL:100", "Veteran:NORMAL:120", "Elite:NORMAL:10000", "Officer:STAFF", "Chief:OWNER"];
    const preview = await untilComplete(() => set(caller.clanId, next, "--dry-run"));
    expect(preview.answer).toMatchObject({ members: 1, rise: 1, fall: 0 });
    await caller.award("second", { amount: 150 });
    const unconfirmed = await untilComplete(() => set(caller.clanId, next));
    expect(unconfirmed.answer.error.message).toContain("Of 2 members 2 rise, 0 fall");
  });

  test("requires --yes, or a yes at the terminal, if ranks of members change", async () => {
    const clan = await livedIn();
    const next = ["Recruit:NORMAL:100", "Officer:STAFF", "Chief:OWNER"];
    const rejected = await set(clan, next);
    expect([rejected.exitCode, rejected.answer.error.code]).toStrictEqual([1, "not_confirmed"]);
    expect(rejected.answer.error.message).toContain("0 rise, 2 fall");
    expect(await rankIn(clan, "xp1500")).toBe("Veteran");

    const [declining, confirming] = [answeringCliOn(env, false), answeringCliOn(env, true)];
    const command = ["rank", "set", clan, ...args(next)];
    expect((await declining.json(...command)).answer.error.code).toBe("not_confirmed");
    expect(await rankIn(clan, "xp1500")).toBe("Veteran");
    expect((await confirming.json(...command)).exitCode).toBe(0);
    expect(confirming.questions[0]).toContain("Of 6 members 0 rise, 2 fall");
    expect(await rankIn(clan, "xp1500")).toBe("Recruit");
    // Nobody's rank changes: nothing to confirm.
    expect((await set(clan, ["Recruit:NORMAL:100", "Top:NORMAL:999999", ...next.slice(1)])).exitCode).toBe(0);
  });

  test("keeps the appointments of a renamed rank, even if another rank gets its old name", async () => {
    const clan = await livedIn();
    const renames = ["--rename", "Officer=Marshal", "--rename", "Recruit=Novice"];
    expect((await cli.json("rank", "set", clan, ...renames)).exitCode).toBe(0);
    expect([await rankIn(clan, "officer"), await rankIn(clan, "xp500")]).toStrictEqual(["Marshal", "Novice"]);
    const swapped = ["Novice:NORMAL:100", "Veteran:NORMAL:1000", "Officer:STAFF", "Captain:STAFF", "Chief:OWNER"];
    expect((await set(clan, swapped, "--rename", "Marshal=Captain")).exitCode).toBe(0);
    expect(await rankIn(clan, "officer")).toBe("Captain");
    // By its old name in the list, too.
    expect((await set(clan, swapped, "--rename", "Captain=Warden")).exitCode).toBe(0);
    expect(await rankIn(clan, "officer")).toBe("Warden");
    expect((await cli.json("member", "appoint", clan, "xp500", "--rank", "Officer")).answer.rank).toBe("Officer");
  });

  test("renames a rank whose name contains =, to such a name too", async () => {
    const { clan } = await world.makeClan();
    const list = ["A:STAFF", "A=B:STAFF", "=:OWNER"];
    await set(clan.clanId, list, "--yes");
    const renames = ["A=B=C", "A=D=E", "===F"].flatMap((rename) => ["--rename", rename]);
    const { answer } = await cli.json("rank", "set", clan.clanId, ...renames);
    expect(answer.ranks.map(({ name }: { name: string }) => name)).toStrictEqual(["Guest", "D=E", "C", "=F"]);
  });

  test("rejects none as the name of a new rank, because it ends an appointment, but can rename an existing one", async () => {
    const { clan } = await world.makeClan();
    for (const specs of [
      ["--rank", "none:STAFF"],
      ["--rename", "Officer=none"],
    ]) {
      const { exitCode, answer } = await cli.json("rank", "set", clan.clanId, ...specs, "--yes");
      expect([exitCode, answer.error.code]).toStrictEqual([2, "usage"]);
      expect(answer.error.message).toContain('named "none"');
    }
    expect((await set(clan.clanId, ["Spare:STAFF", "none:NORMAL:5"], "--yes")).exitCode).toBe(0);
    const clans = world.database.db().collection<any>("clans");
    expect((await set(clan.clanId, ["Spare:STAFF"], "--yes")).exitCode).toBe(0);
    await clans.updateOne({ _id: clan.clanId, "ranks.name": "Spare" }, { $set: { "ranks.$.name": "none" } });
    expect((await set(clan.clanId, ["none:STAFF", "Aide:STAFF"])).exitCode).toBe(0);
    expect((await cli.json("rank", "set", clan.clanId, "--rename", "none=Spare")).exitCode).toBe(0);
  });

  test("does not restore the appointments of a removed rank for another rank with its name", async () => {
    const clan = await livedIn();
    const withoutOfficer = LIST.filter((spec) => !spec.startsWith("Officer"));
    expect((await set(clan, withoutOfficer, "--yes")).exitCode).toBe(0);
    expect((await set(clan, LIST)).exitCode).toBe(0);
    expect(await rankIn(clan, "officer")).toBe("Recruit");
  });

  test("keeps the ranks and appointments of older versions, which have no IDs, when a rank is renamed", async () => {
    const clan = await livedIn();
    const stored = (name: string) => world.database.db().collection<any>(name);
    const byName = { $set: { appointedRank: "Officer" } };
    await stored("ledger").updateOne({ _id: { clanId: clan, platformId: "officer", seq: 2 } }, byName);
    await stored("members").updateOne({ _id: `${clan}/officer` }, byName);
    await stored("clans").updateOne({ _id: clan }, { $unset: { "ranks.$[].id": "" } });
    expect(await rankIn(clan, "officer")).toBe("Officer");
    expect((await cli.json("rank", "set", clan, "--rename", "Officer=Marshal")).exitCode).toBe(0);
    expect(await rankIn(clan, "officer")).toBe("Marshal");
  });

  test.each([
    [["--rename", "Nobody=Boss"], 'no rank "Nobody"'],
    [["--rename", "Officer"], "OLD=NEW"],
    [["--rename", "Officer=Chief"], 'two ranks are named "Chief"'],
    [["--rename", "Officer=Boss", "--rank", "A:STAFF"], 'no rank is named "Boss"'],
    [["--rename", "Officer=Boss", "--rename", "Officer=Head"], "renamed twice"],
    [["--rename", "Officer=Boss", "--rename", "Chief=Boss"], "renamed to the same name"],
  ])("rejects %j with exit code 2", async (more, hint) => {
    const { clan } = await world.makeClan();
    const { exitCode, stderr, answer } = await cli.json("rank", "set", clan.clanId, ...more);
    expect([exitCode, answer.error.code]).toStrictEqual([2, "usage"]);
    expect(stderr).toContain(hint);
  });
});
