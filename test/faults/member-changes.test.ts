// Commands that change one member, killed before their entry is inserted and after that: the command can be run again,
// each change is made once, and what MongoDB executes late changes nothing.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { root } from "../../scripts/paths.js";
import { makeClanCaller, type ClanCaller } from "../support/clan-caller.ts";
import { patientCliOn, type CommandLine } from "../support/cli.ts";
import { openProxies } from "../support/proxies.ts";
import { makeWorld, type World } from "../support/world.ts";
import { killAt } from "./kill-at.ts";

vi.setConfig({ testTimeout: 120_000 });

/** How MongoDB's protocol begins an insert into `ledger`. */
const COMMIT = "insert\0\x07\0\0\0ledger\0";

let world: World;
let cli: CommandLine;
let clan: ClanCaller;
beforeAll(async () => {
  world = await makeWorld();
  cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  clan = await makeClanCaller(world, (await world.startApi()).port);
});
afterAll(() => world.close());

/** `was`: the member's standing before; `becomes`: the kinds of the entries that are made, in order, and the rank. */
const commands = {
  add: { args: ["--rank", "Officer"], was: null, becomes: { kinds: ["membership", "appointment"], rank: "Officer" } },
  appoint: { args: ["--rank", "none"], was: "Officer", becomes: { kinds: ["appointment"], rank: "Recruit" } },
  remove: { args: [], was: "Officer", becomes: { kinds: ["membership"], rank: "Guest" } },
} as const;
const cases = Object.entries(commands).flatMap(([command, facts]) =>
  (["inserted", "not inserted"] as const).map((when) => ({
    command,
    ...facts,
    when,
    platformId: `${command}-${when.replace(" ", "-")}`,
  })),
);
type Case = (typeof cases)[number];

async function kindsOf(platformId: string): Promise<unknown[]> {
  const entries = world.database
    .db()
    .collection("ledger")
    .find({ "_id.clanId": clan.clanId, "_id.platformId": platformId });
  return (await entries.sort({ _id: 1 }).toArray()).flatMap(({ kind }) => (kind === undefined ? [] : [kind]));
}

function start({ command, args, platformId }: Pick<Case, "command" | "args" | "platformId">, mongoUrl: string) {
  return spawn(
    process.execPath,
    [join(root, "apps/cli/main.ts"), "member", command, clan.clanId, platformId, ...args],
    {
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        MONGO_URL: mongoUrl,
        REDIS_URL: world.redisUrl,
        CLANXP_ACTOR: "ada@example.org",
      },
      stdio: "ignore",
    },
  );
}

/**
 * Runs the real command and kills it when it sends its insert. Resolves with what delivers that, where it was kept
 * back.
 */
async function kill({ command, args, when, platformId }: Case): Promise<() => Promise<void>> {
  const proxies = await openProxies(world);
  const reached =
    when === "inserted"
      ? proxies.mongo.cutAfter("there", { text: COMMIT }, { silently: true })
      : proxies.mongo.holdBack(COMMIT);
  const deliver = await killAt<void | (() => Promise<void>)>(reached, () =>
    start({ command, args, platformId }, proxies.config.mongoUrl),
  );
  return async () => {
    if (deliver) await deliver();
    await proxies.close();
  };
}

test("member add, appoint and remove that are killed around their insert and run again write one entry each", async () => {
  for (const { was, platformId } of cases) {
    if (was !== null) await world.members.join({ clanId: clan.clanId, platformId }, new Date(), was);
    await clan.award(platformId, { amount: 150 });
    // On an Auto Clan an award makes a member: `add` is for one who was removed.
    if (was === null) expect((await cli.json("member", "remove", clan.clanId, platformId)).exitCode).toBe(0);
  }
  const before = new Map(
    await Promise.all(cases.map(async ({ platformId }) => [platformId, await kindsOf(platformId)] as const)),
  );
  const delivered = await Promise.all(cases.map(kill));

  for (const { command, args, when, platformId, becomes } of cases) {
    const madeBefore = async () => (await kindsOf(platformId)).slice(before.get(platformId)?.length);
    // MongoDB has received it, and may still be executing it.
    if (when === "inserted") await expect.poll(madeBefore, { message: platformId }).toStrictEqual(becomes.kinds);
    else expect({ platformId, madeBefore: await madeBefore() }).toStrictEqual({ platformId, madeBefore: [] });
    const again = await cli.json("member", command, clan.clanId, platformId, ...args);
    expect({ platformId, ...again }).toMatchObject({ exitCode: 0, answer: { rank: becomes.rank } });
  }
  for (const deliver of delivered) await deliver();
  for (const { platformId, becomes } of cases) {
    const made = (await kindsOf(platformId)).slice(before.get(platformId)?.length);
    expect({ platformId, made }).toStrictEqual({ platformId, made: becomes.kinds });
    expect((await clan.get(`/members/${platformId}`)).body).toMatchObject({ xp: "150", rank: becomes.rank });
  }
  const { answer } = await cli.json("audit", "list", "--clan", clan.clanId, "--limit", "200");
  const audited = (answer.records as { target: string; actor: string }[]).filter(
    ({ actor }) => actor === "ada@example.org",
  );
  // One record for each entry of the commands that were inserted; the runs after those have another actor.
  expect(audited.length).toBe(
    cases.filter(({ when }) => when === "inserted").reduce((sum, { becomes }) => sum + becomes.kinds.length, 0),
  );
  expect((await cli.json("rebuild", "--clan", clan.clanId)).exitCode).toBe(0);
  expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });
});
