// One `npm start`, for real, from an empty folder until it is stopped. start.test.ts has what else can happen to it.
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { award, dataFolder, npmStart, processesOf, readRunFile } from "../support/npm-start.ts";
import { firstScreen } from "../../scripts/supervise/first-screen.ts";
import { until } from "../support/until.ts";

const sh = promisify(execFile);
vi.setConfig({ testTimeout: 180_000 });

test.skipIf(process.platform !== "linux")(
  "npm start prints a demo clan, two working commands and no secret in an empty folder, rejects a second start, and stops",
  async () => {
    const dataDir = dataFolder();
    const first = npmStart(dataDir);
    await first.ready();
    const run = readRunFile(dataDir);
    expect(Object.keys(run.pids).sort()).toEqual(["api", "dashboard", "mongod", "notifier", "redis", "worker"]);
    for (const [role, url] of Object.entries({ api: run.opsUrl, notifier: run.notifierOpsUrl })) {
      // It was ready before the screen. By now it may not be for a moment, if a server or the process is slow.
      const before = first.output.stdout.split("\nready ")[0];
      expect(before).toMatch(new RegExp(`"name":"${role}".*"dependency":"mongo".*"dependency\\.up"`));
      await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    }
    expect(first.output.stdout).toContain(`ready ${run.baseUrl}\n`);
    // By name, because passkeys work at no IP address.
    expect(run.dashboardUrl).toMatch(/^http:\/\/localhost:\d+$/);
    const [firstRow] = first.output.stdout.match(/^ {2}\w+ +\S.*$/m) ?? [];
    expect(firstRow).toMatch(new RegExp(`^  Dashboard +→ ${run.dashboardUrl}/link#\\w+$`));
    expect((await fetch(run.dashboardUrl)).status).toBe(200);
    // Once it has nothing to do: at its start it removes types from code that was not compiled before.
    await expect.poll(() => residentMiB(run.pids.notifier)).toBeLessThan(120);

    const keyFile = join(dataDir, "demo-key");
    for (const secret of [keyFile, join(dataDir, "secrets-key"), join(dataDir, "hook-key")]) {
      expect(statSync(secret).mode & 0o777).toBe(0o600);
      expect(first.output.stdout + first.output.stderr).not.toContain(readFileSync(secret, "utf8").trim());
    }
    for (const name of ["mongo", "redis", "logs", "services", "run.json"])
      expect(statSync(join(dataDir, name)).mode & 0o077).toBe(0);

    const commands = first.output.stdout.match(/^ *curl .*$/gm) ?? [];
    const answers = [{ platformId: "player-1", xp: "150", rank: "Recruit" }, { applied: 2 }];
    expect(await responsesOf(commands)).toMatchObject(answers);
    // Those for a terminal are the same requests, with the same keys.
    const screen = firstScreen(
      { ...run, link: run.dashboardUrl, dataDir, mongod: undefined, redis: undefined },
      { forPeople: true, isVerbose: false },
    );
    expect(await responsesOf(screen.split("\n\n").filter((block) => block.startsWith("    curl ")))).toMatchObject(
      answers,
    );

    const second = npmStart(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.output.stderr).toMatch(/is in use by another npm start, process \d+/);
    expect((await award(dataDir, "player-1", 1)).status).toBe(200);

    first.signalNpm("SIGTERM");
    expect(await first.ended).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  },
);

/** The memory that a process uses. */
function residentMiB(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1_024;
}

async function responsesOf(commands: readonly string[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const command of commands) answers.push(JSON.parse((await sh("sh", ["-c", command])).stdout));
  return answers;
}
