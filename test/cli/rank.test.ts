// rank set.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cliOn, type CommandLine } from "../support/cli.ts";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
let cli: CommandLine;
let clanId: string;
beforeAll(async () => {
  world = await makeWorld();
  cli = cliOn({ MONGO_URL: world.mongoUrl });
  clanId = (await world.makeClan()).clan.clanId;
});
afterAll(() => world.close());

function setRanks(...specs: string[]) {
  return cli.json("rank", "set", clanId, ...specs.flatMap((spec) => ["--rank", spec]));
}

describe("rank set", () => {
  test.each([
    [["Recruit:NORMAL:100", "Elite:NORMAL:10000"], ["Guest GUEST", "Recruit NORMAL 100", "Elite NORMAL 10000"], "adds Guest in front"],
    [
      ["Crew:NORMAL:0", "Visitor:GUEST", "Boss:OWNER"],
      ["Crew NORMAL 0", "Visitor GUEST", "Boss OWNER"],
      "keeps the order and the given guest",
    ],
    [
      ["Tier: I:NORMAL:5", "a:b:STAFF", "NORMAL:STAFF"],
      ["Guest GUEST", "Tier: I NORMAL 5", "a:b STAFF", "NORMAL STAFF"],
      "reads from the right",
    ],
    [["Top:NORMAL:9223372036854775807"], ["Guest GUEST", "Top NORMAL 9223372036854775807"], "thresholds are 64-bit numbers"],
    [["Aide:STAFF", "Head:OWNER"], ["Guest GUEST", "Aide STAFF", "Head OWNER"], "no NORMAL rank is needed"],
  ])("%j: %j (%s)", async (specs, expected) => {
    const { exitCode, answer } = await setRanks(...specs);
    expect(exitCode).toBe(0);
    const ranks = answer.ranks.map(({ name, kind, threshold }: Record<string, string>) =>
      [name, kind, ...(threshold ? [threshold] : [])].join(" "),
    );
    expect(ranks).toEqual(expected);
    expect(Object.keys(answer)).toEqual(["clanId", "name", "autoClan", "ranks", "xpFloor", "xpCap", "amountMax"]);
    expect((await cli.json("clan", "show", clanId)).answer).toEqual(answer);
  });

  test.each([
    [["Recruit"], "neither kind nor threshold"],
    [["Recruit:NORMAL"], "no threshold"],
    [["Recruit:normal:100"], "a kind in lower case"],
    [["Recruit:NORMAL:"], "an empty threshold"],
    [["Recruit:NORMAL:1e3"], "no integer"],
    [["Recruit:NORMAL:-1"], "a negative threshold"],
    [["Recruit:NORMAL:9223372036854775808"], "past 64 bits"],
    [["Boss:OWNER:5"], "a threshold for an OWNER"],
    [[":NORMAL:5"], "no name"],
    [["a\tb:STAFF"], "a name with a tab"],
    [["A:NORMAL:5", "B:NORMAL:5"], "equal thresholds"],
    [["A:NORMAL:9", "B:NORMAL:5"], "falling thresholds"],
    [["A:NORMAL:5", "A:STAFF"], "one name twice"],
    [["Guest:NORMAL:5"], "the name of the guest that is added"],
    [["A:GUEST", "B:GUEST"], "two guests"],
    [[], "no rank at all"],
  ])("refuses %j: %s", async (specs) => {
    const before = await cli.json("clan", "show", clanId);
    const { exitCode, answer } = await setRanks(...specs);
    expect(exitCode).toBe(2);
    expect(answer.error.code).toBe("usage");
    expect((await cli.json("clan", "show", clanId)).answer).toEqual(before.answer);
  });

  test("names the faults of all ranks at once, and the kind that was meant", async () => {
    const { answer } = await setRanks("A:NORML:5", "B:STAFF:5", "C");
    expect(answer.error.faults).toHaveLength(3);
    expect(answer.error.faults[0]).toContain('Did you mean "NORMAL"?');
  });

  test("an unknown clan: exit 1", async () => {
    const { exitCode, answer } = await cli.json("rank", "set", "nobody", "--rank", "A:STAFF");
    expect([exitCode, answer.error.code]).toEqual([1, "clan_not_found"]);
  });
});
