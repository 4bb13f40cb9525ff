// key list.
import { beforeEach, describe, expect, test } from "vitest";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { budgetDay } from "#keys/budget-day.ts";
import { patientCliOn } from "../../support/cli.ts";
import { dayLongEnough } from "../../support/same-day.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const cli = patientCliOn({ MONGO_URL: world.mongoUrl });
// The budget of a key renews with the day.
beforeEach(dayLongEnough);

async function newClan(): Promise<string> {
  const { clan } = await world.makeClan(); // with its own key
  return clan.clanId;
}

describe("key list", () => {
  test("returns exactly the documented fields and no secret", async () => {
    const clanId = await newClan();
    const { answer: created } = await cli.json("key", "create", clanId, "--name", "listed");
    const { answer, stdout } = await cli.json("key", "list", clanId);
    const { secret, ...facts } = created;
    const limits = { requestsPerSecond: 500, awardsPerSecond: 5_000, amountMax: null, xpPerDay: null };
    const unused = { lastUsedAt: null, revokedAt: null, replacedBy: null };
    expect(answer.keys[1]).toEqual({ ...facts, limits, hint: secret.slice(-4), ...unused });
    expect(stdout).not.toContain(secret);
    expect((await cli.run("key", "list", clanId)).stdout).not.toContain(secret);
  });

  test("shows the ending and the expiry of each key, and its state in the words of the dashboard", async () => {
    const clanId = await newClan();
    const create = async () =>
      (await cli.json("key", "create", clanId, "--name", "n", "--expires", "2999-01-01")).answer;
    const [live, rotated, ended, revoked] = [await create(), await create(), await create(), await create()];
    const replacement = (await cli.json("key", "rotate", rotated.keyId)).answer;
    await cli.run("key", "rotate", ended.keyId, "--grace", "0");
    await cli.run("key", "revoke", revoked.keyId);
    const [header = "", ...rows] = (await cli.run("key", "list", clanId)).stdout.trimEnd().split("\n");
    const names = ["KEY", "NAME", "KEY ENDING", "SCOPES", "BUDGET", "LAST USED", "EXPIRES", "STATE"];
    expect(header.split(/ {2,}/)).toStrictEqual(names);
    const cellsOf = ({ keyId }: { keyId: string }): Record<string, string> => {
      const cells = rows.find((row) => row.startsWith(keyId))?.split(/ {2,}/) ?? [];
      return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
    };
    expect(cellsOf(live)).toMatchObject({
      "KEY ENDING": `…${live.secret.slice(-4)}`,
      EXPIRES: "2999-01-01T00:00:00.000Z",
      STATE: "live",
    });
    expect(cellsOf(replacement)).toMatchObject({ EXPIRES: expect.stringMatching(/^2999/), STATE: "live" });
    expect(cellsOf(rotated)).toMatchObject({
      EXPIRES: expect.not.stringContaining("2999"),
      STATE: `rotated, replaced by ${replacement.keyId}`,
    });
    expect(cellsOf(ended)["STATE"]).toMatch(/^expired, replaced by /);
    expect(cellsOf(revoked)["STATE"]).toMatch(/^revoked 2/);
  });

  test("returns how much of its daily XP budget each key has awarded today", async () => {
    const clanId = await newClan();
    const { keyId } = (await cli.json("key", "create", clanId, "--name", "limited")).answer;
    await cli.run("key", "limit", keyId, "--xp-per-day", "1000");
    const today = async () => (await cli.json("key", "list", clanId)).answer.keys.map(({ xpToday }: any) => xpToday);
    expect(await today()).toStrictEqual([undefined, 0]);
    const claim = { claimId: "c", amount: 250, ids: [], at: new Date() };
    await makeBudgetStore(world.database).spend({ keyId, day: budgetDay(claim.at) }, claim, 1_000);
    expect(await today()).toStrictEqual([undefined, 250]);
    expect((await cli.run("key", "list", clanId)).stdout).toContain("1000 XP per day (250 today)");
  });
});
