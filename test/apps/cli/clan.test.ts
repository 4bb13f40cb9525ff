// clan create, set, show, list.
import { describe, expect, test } from "vitest";
import { patientCliOn } from "../../support/cli.ts";
import { testActor } from "../../support/actor.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
// No Redis: nothing here may need it.
const cli = patientCliOn({ MONGO_URL: world.mongoUrl });

let made = 0;
async function newClan(...args: string[]): Promise<string> {
  const clanId = `clan_${(made += 1)}-A`;
  expect((await cli.run("clan", "create", clanId, ...args)).exitCode).toBe(0);
  return clanId;
}

describe("clan create", () => {
  test("returns the clan with exactly the documented fields, XP values as strings", async () => {
    const { exitCode, answer, stderr } = await cli.json("clan", "create", "rovers", "--name", "The Rovers", "--auto");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(answer).toEqual({
      clanId: "rovers",
      name: "The Rovers",
      autoClan: true,
      ranks: [{ name: "Guest", kind: "GUEST" }],
      xpFloor: "0",
      xpCap: "9223372036854775807",
      amountMax: "1000000",
    });
  });

  test("uses the ID as the name and turns Auto Clan off by default, and does not change a clan that exists", async () => {
    const clanId = await newClan();
    const again = await cli.json("clan", "create", clanId, "--name", "Second", "--auto");
    expect([again.exitCode, again.answer.error.code]).toEqual([1, "clan_taken"]);
    expect((await cli.json("clan", "show", clanId)).answer).toMatchObject({ name: clanId, autoClan: false });
  });

  test("lists every fault, exits with code 2 and creates nothing", async () => {
    const { exitCode, answer, stderr } = await cli.json("clan", "create", "bad id", "--name", "");
    expect(exitCode).toBe(2);
    expect(answer.error.code).toBe("usage");
    expect(answer.error.faults).toHaveLength(2);
    for (const fault of answer.error.faults) expect(stderr).toContain(fault);
  });
});

describe("clan set", () => {
  test("changes only the fields that are given", async () => {
    const clanId = await newClan("--name", "Before");
    const first = await cli.json("clan", "set", clanId, "--auto", "on", "--amount-max", "1000000000000");
    const kept = { clanId, xpFloor: "0", amountMax: "1000000000000" };
    expect(first.answer).toMatchObject({ ...kept, name: "Before", autoClan: true });
    const second = await cli.json("clan", "set", clanId, "--auto", "off", "--name", "After");
    expect(second.answer).toMatchObject({ ...kept, name: "After", autoClan: false });
    expect((await cli.json("clan", "show", clanId)).answer).toEqual({ ...second.answer, publicPage: null });
  });

  test.each([
    ["a negative number as a separate value", ["--xp-floor", "-100"], { xpFloor: "-100" }],
    ["a negative number after =", ["--xp-floor=-100"], { xpFloor: "-100" }],
    ["none for no floor", ["--xp-floor", "none"], { xpFloor: null }],
    [
      "both ends of Int64",
      ["--xp-floor", "-9223372036854775808", "--xp-cap", "9223372036854775807"],
      { xpFloor: "-9223372036854775808", xpCap: "9223372036854775807" },
    ],
    ["a negative floor and cap", ["--xp-floor", "-20", "--xp-cap", "-10"], { xpFloor: "-20", xpCap: "-10" }],
    ["an equal floor and cap", ["--xp-floor=7", "--xp-cap=7"], { xpFloor: "7", xpCap: "7" }],
  ])("accepts %s", async (_, options, expected) => {
    const { exitCode, answer } = await cli.json("clan", "set", await newClan(), ...options);
    expect(exitCode).toBe(0);
    expect(answer).toMatchObject(expected);
  });

  test("sets a limit of XP per day and removes it with none, and records both in the audit log", async () => {
    const clanId = await newClan();
    expect((await cli.json("clan", "set", clanId, "--xp-per-day", "5000")).answer.xpPerDay).toBe("5000");
    expect((await cli.run("clan", "show", clanId)).stdout).toContain("5000 per member");
    expect((await cli.json("clan", "set", clanId, "--xp-per-day", "none")).answer).not.toHaveProperty("xpPerDay");
    const { records } = (await cli.json("audit", "list", "--clan", clanId, "--action", "clan.set")).answer;
    expect(records).toMatchObject([
      { before: { xpPerDay: "5000" }, after: { xpPerDay: null } },
      { before: { xpPerDay: null }, after: { xpPerDay: "5000" } },
    ]);
  });

  test("keeps the floor below the cap when two operators change them at the same time", async () => {
    const clanId = await newClan();
    await cli.run("clan", "set", clanId, "--xp-cap", "100");
    const [floor, cap] = await Promise.all([
      cli.json("clan", "set", clanId, "--xp-floor", "60"),
      cli.json("clan", "set", clanId, "--xp-cap", "40"),
    ]);
    expect([floor.exitCode, cap.exitCode].toSorted((a, b) => a - b)).toEqual([0, 2]);
    const { answer } = await cli.json("clan", "show", clanId);
    expect(BigInt(answer.xpFloor)).toBeLessThanOrEqual(BigInt(answer.xpCap));
  });
});

describe("clan show and list", () => {
  test("show exits with code 1 for an unknown clan, with a suggestion", async () => {
    await cli.run("clan", "create", "wanderers");
    const { exitCode, answer, stderr } = await cli.json("clan", "show", "wandreres");
    const message = expect.stringContaining('Did you mean "wanderers"?');
    expect([exitCode, answer.error, stderr]).toEqual([1, { code: "clan_not_found", message }, message]);
  });

  test("list prints every clan by ID, as show prints it", async () => {
    const clanId = await newClan();
    const { answer } = await cli.json("clan", "list");
    const ids = answer.clans.map((clan: { clanId: string }) => clan.clanId);
    expect(ids).toEqual(ids.toSorted());
    const { publicPage, ...shown } = (await cli.json("clan", "show", clanId)).answer;
    expect(publicPage).toBeNull();
    expect(answer.clans).toContainEqual(shown);
  });

  test("print aligned columns without color codes for people, and nothing on standard error", async () => {
    await newClan("--name", "A name that is longer than the title");
    const { stdout, stderr } = await cli.run("clan", "list");
    expect(stderr).toBe("");
    // oxlint-disable-next-line eslint/no-control-regex -- colour codes begin with this one
    expect(stdout).not.toMatch(/\u001b/);
    const [header = "", ...rows] = stdout.trimEnd().split("\n");
    const column = header.indexOf("AUTO");
    for (const row of rows) expect(row.slice(column)).toMatch(/^(on|off) /);
  });

  test("escape control characters of stored text", async () => {
    const clanId = await newClan();
    await world.clans.change(clanId, { name: "\u001b[31mred\nline" }, testActor);
    const { stdout } = await cli.run("clan", "show", clanId);
    expect(stdout).toContain("\u{FFFD}[31mred\u{FFFD}line");
  });
});
