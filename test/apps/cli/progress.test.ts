// The progress bar of every long command: for a person at a terminal, and for nobody else.
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { runCli } from "../../../apps/cli/run-cli.ts";
import { cliOn, ONLY_DELAYS } from "../../support/cli.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { useApi } from "../../support/use-api.ts";

const { world, clan } = await useApi({ worker: true });
const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, CLANXP_ACTOR: "ada" };
const members = useFiles()("members.csv", "platformId,xp\nc,5\nd,5\n");
for (const platformId of ["a", "b"]) await clan.award(platformId, { amount: 5, source: { matchId: "x" } });

/** A terminal that keeps what was written to it. */
function terminal(): { stream: NodeJS.WriteStream; written: () => string } {
  const stream = new PassThrough();
  let written = "";
  stream.setEncoding("utf8").on("data", (text: string) => (written += text));
  return {
    stream: Object.assign(stream, { isTTY: true, columns: 80 }) as unknown as NodeJS.WriteStream,
    written: () => written,
  };
}

/** `gone`: members to erase; an erasure mostly waits, so all of these run at the same time. */
const commands = (gone: string): [name: string, args: string[]][] => [
  ["import", ["import", clan.clanId, members, "--name", gone]],
  ["export of members", ["export", clan.clanId, "members"]],
  ["export of the ledger", ["export", clan.clanId, "ledger"]],
  ["reverse", ["reverse", clan.clanId, "--match", "x", "--yes"]],
  ["reconcile", ["reconcile", "--clan", clan.clanId]],
  ["rebuild", ["rebuild", "--clan", clan.clanId]],
  ["member erase", ["member", "erase", clan.clanId, gone, "--yes"]],
];

describe.concurrent("the progress bar", () => {
  test.each(commands("gone"))("of %s is shown on a terminal", async (_, args) => {
    const { stream, written } = terminal();
    expect((await cliOn(env, stream).run(...args)).exitCode).toBe(0);
    expect(written()).toMatch(/\d+% {2}\d+ of \d+/);
  });

  test.each(commands("gone-json"))("of %s is not shown with --json or without a terminal", async (_, args) => {
    const { stream, written } = terminal();
    const noBar = { exitCode: 0, stderr: expect.stringMatching(ONLY_DELAYS) };
    expect(await cliOn(env, stream).run(...args, "--json")).toMatchObject(noBar);
    expect(written()).toBe("");
    const isSlow = args.includes("erase");
    if (!isSlow) expect(await cliOn(env).run(...args)).toMatchObject(noBar);
  });
});

test("the progress bar reaches 100%", async () => {
  const { clanId } = (await world.makeClan()).clan;
  await cliOn(env).run("import", clanId, members);
  const { stream, written } = terminal();
  expect((await cliOn(env, stream).run("reconcile", "--clan", clanId)).stdout).toMatch(/^members +2\nentries +2$/m);
  expect(written()).toContain("100%  4 of 4");
});

test("the progress bar is not shown if the rows are printed to the terminal too", async () => {
  const { stream, written } = terminal();
  const rows: string[] = [];
  const stdout = { isTTY: true, write: (text: string) => rows.push(text) > 0 };
  const args = ["export", clan.clanId, "ledger"];
  expect(await runCli({ args, env, stdout, stderr: { write() {} }, terminal: stream })).toBe(0);
  expect([rows.length > 0, written()]).toStrictEqual([true, ""]);
});

test("the progress bar ends with an error", async () => {
  const { stream, written } = terminal();
  expect((await cliOn(env, stream).run("reconcile", "--clan", "nobody")).exitCode).toBe(1);
  // The cursor is shown again.
  expect(written().lastIndexOf("\u001b[?25h")).toBeGreaterThanOrEqual(written().lastIndexOf("\u001b[?25l"));
});
