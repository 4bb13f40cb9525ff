// What people read on a terminal: short times in their zone, XP with separators, names beside ids. A file, a pipe and
// --json get the same as ever.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../../../scripts/paths.js";
import { cliOn, type Ran } from "../../support/cli.ts";
import { useApi } from "../../support/use-api.ts";
import { until } from "../../support/until.ts";

const { world, clan } = await useApi({ worker: true });
const { clanId } = clan;
const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada" };
const [piped, seen] = [cliOn(env), cliOn(env, null, null, true)];
const TIME_IN_FULL = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
const SHORT_TIME = /\b\d{4}-\d\d-\d\d \d\d:\d\d\b/;

await clan.award("4711", { amount: 48_580 });
await piped.run("member", "name", clanId, "4711", "Mira");
await piped.run("member", "name", clanId, "4712", "Bo");
await piped.run("member", "add", clanId, "4712");

/** Once the events of the award can be read. */
async function untilListed(run: () => Promise<Ran>): Promise<string> {
  let stdout = "";
  await until(async () => {
    ({ stdout } = await run());
    return stdout.includes("member.rank_changed");
  });
  return stdout;
}

test("times are short, and XP has separators", async () => {
  const shown = (await seen.run("member", "show", clanId, "4711")).stdout;
  expect(shown).toMatch(/^XP +48,580$/m);
  expect(shown).toMatch(new RegExp(`^last award +${SHORT_TIME.source}$`, "m"));
  for (const args of [
    ["member", "list", clanId],
    ["member", "top", clanId],
    ["gains", clanId, "--from", "-1d", "--to", "now"],
    ["member", "gains", clanId, "4711", "--every", "day", "--from", "-1d", "--to", "now"],
    ["clan", "list", "--totals"],
  ]) {
    const { stdout } = await seen.run(...args);
    expect(stdout).toContain("48,580");
    expect(stdout).not.toMatch(TIME_IN_FULL);
  }
  const { stdout } = await seen.run("reset", clanId, "--dry-run");
  expect(stdout).toMatch(/^amount +48,580 XP$/m);
  expect((await seen.run("clan", "show", clanId)).stdout).toContain("9,223,372,036,854,775,807");
});

test("ids of members have their names beside them", async () => {
  const events = await untilListed(() => seen.run("event", "list", clanId));
  expect(events.split("\n")[0]).toMatch(/^TIME +EVENT +MEMBER +NAME +CHANGE$/);
  expect(events).toMatch(new RegExp(`^${SHORT_TIME.source}  member\\.joined +4711 +Mira +joined`, "m"));
  const { stdout } = await seen.run("audit", "list", "--clan", clanId, "--action", "member.add");
  expect(stdout).toContain("ada added 4712 (Bo) as a member");
  expect((await seen.run("member", "hide", clanId, "4711")).stdout).toMatch(/^member +4711 \(Mira\)$/m);
  expect((await seen.run("member", "add", clanId, "4711")).stdout).toMatch(/^name +Mira$/m);
  const { body } = await clan.submit([{ platformId: "4711", amount: 1_500 }], { prefer: "respond-async" });
  await until(async () => (await seen.run("batch", "show", body.batchId)).stdout.includes("50,080"));
  expect((await seen.run("batch", "show", body.batchId)).stdout).toMatch(/4711 \(Mira\) +applied +50,080/);
});

test("what a file or a pipe gets has times and numbers in full, and no names beside ids", async () => {
  const lines = (await untilListed(() => piped.run("event", "list", clanId))).split("\n");
  expect(lines[0]).toMatch(/^TIME +EVENT +MEMBER +CHANGE$/);
  expect(lines.slice(1, 3).every((line) => TIME_IN_FULL.test(line))).toBe(true);
  expect((await piped.run("member", "list", clanId)).stdout).toMatch(/^4711 +Mira +\d{5} /m);
  const { stdout } = await piped.run("audit", "list", "--clan", clanId, "--action", "member.add");
  expect(stdout).toContain("ada added 4712 as a member");
  const [ofPerson, ofScript] = await Promise.all(
    [seen, piped].map((cli) => cli.json("member", "show", clanId, "4711")),
  );
  expect(ofPerson?.answer).toEqual(ofScript?.answer);
});

test.skipIf(process.platform !== "linux")("times are those of the reader's time zone", async () => {
  const { answer } = await piped.json("member", "show", clanId, "4711");
  const command = `${process.execPath} scripts/clanxp.js member show ${clanId} 4711`;
  const inZone = { ...process.env, ...env, TZ: "Asia/Kathmandu" };
  const { stdout } = await promisify(execFile)("script", ["-qfec", command, "/dev/null"], { cwd: root, env: inZone });
  // 5 h 45 min before UTC.
  const there = new Date(Date.parse(answer.lastAwardAt) + 345 * 60_000).toISOString();
  expect(stdout).toContain(`${there.slice(0, 10)} ${there.slice(11, 16)}`);
});
