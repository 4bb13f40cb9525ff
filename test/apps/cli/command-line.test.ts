// What every command shares: help, faults, exit codes, the way to the servers.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import type { Cli } from "../../../apps/cli/cli.ts";
import { makeProgram } from "../../../apps/cli/program.ts";
import { cliOn } from "../../support/cli.ts";
import { useTempDir } from "../../support/temp-dir.ts";
import { useWorld } from "../../support/use-api.ts";

/** Nothing listens there. */
const NO_MONGO = "mongodb://127.0.0.1:1/clanxp";
const NO_REDIS = "redis://127.0.0.1:1";

// A tree that is only described uses nothing of its environment.
const program = makeProgram({} as Cli, { stdout: { write: () => true }, stderr: { write: () => true } });
const leavesOf = (command: Command, names: string): string[] =>
  command.commands.length === 0
    ? [names]
    : command.commands.flatMap((inner) => leavesOf(inner, `${names} ${inner.name()}`.trim()));

const world = await useWorld();
const folder = useTempDir();

describe("clanxp help", () => {
  test.each(leavesOf(program, ""))("of %s prints an example and needs no server", async (command) => {
    const { exitCode, stdout, stderr } = await cliOn({}).run(...command.split(" "), "--help");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^Usage: clanxp ${command} `));
    expect(stdout).toContain("--json");
    expect(stdout).toMatch(new RegExp(`Examples:\n  (\\S+ )?clanxp ${command}`));
  });

  test("without a command prints every command, the exit codes, and the sources of the server URLs", async () => {
    const { exitCode, stdout } = await cliOn({}).run("--help");
    expect(exitCode).toBe(0);
    for (const command of program.commands) expect(stdout).toMatch(new RegExp(`^  ${command.name()} `, "m"));
    for (const word of ["Exit codes", "MONGO_URL", "DATA_DIR"]) expect(stdout).toContain(word);
    expect((await cliOn({}).run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("invalid usage of a command exits with code 2 and a hint:", () => {
  test.each([
    [[], ""],
    [["clan"], ""],
    [["claN", "list"], "Did you mean clan?"],
    [["clan", "shwo", "x"], "Did you mean show?"],
    [["member", "lst", "x"], "Did you mean list?"],
    [["key", "destroy"], "Unknown command 'destroy'. Commands are create, list, rotate, revoke, limit."],
    [["clan", "list", "--jsno"], "Did you mean --json?"],
    [["clan", "show"], "clanId"],
    [["clan", "show", "a", "b"], "Too many arguments"],
    [["clan", "show", "no clan"], "not a clan id"],
    [["key", "create", "demo"], "--name"],
  ])("%j", async (args, hint) => {
    const people = await cliOn({}).run(...args);
    expect([people.exitCode, people.stdout]).toEqual([2, ""]);
    expect(people.stderr).toContain(hint);
    expect(people.stderr).toMatch(/Usage: clanxp|See clanxp.* --help\.\n$/);

    const script = await cliOn({}).json(...args);
    expect(script.exitCode).toBe(2);
    expect(script.answer).toEqual({
      error: expect.objectContaining({ code: "usage", message: expect.stringContaining(hint) }),
    });
  });

  test("but arguments after -- are not options", async () => {
    const { exitCode, stdout, stderr } = await cliOn({}).run("clan", "create", "--", "--json");
    expect([exitCode, stdout]).toEqual([3, ""]); // "--json" is a clan id, and no server is reachable
    expect(stderr).toContain("npm start");
  });
});

describe("the servers of a command", () => {
  const noted = (urls: object) => writeFile(join(folder, "run.json"), JSON.stringify(urls));

  test("exit with code 3 and instructions if they are unknown", async () => {
    const { exitCode, answer, stderr } = await cliOn({ DATA_DIR: join(folder, "none") }).json("clan", "list");
    expect([exitCode, answer.error.code]).toEqual([3, "unreachable"]);
    for (const word of ["npm start", "MONGO_URL", join(folder, "none", "run.json")]) expect(stderr).toContain(word);
  });

  test("are those of the running npm start, found in DATA_DIR", async () => {
    await noted({ mongoUrl: world.mongoUrl, redisUrl: world.redisUrl, pids: {} });
    expect((await cliOn({ DATA_DIR: folder }).json("queue", "status")).exitCode).toBe(0);
    // Half of it is given, and is the same: the other half is noted.
    expect((await cliOn({ DATA_DIR: folder, MONGO_URL: world.mongoUrl }).json("queue", "status")).exitCode).toBe(0);
  });

  test("are those in the environment if they are set, also from files", async () => {
    await noted({ mongoUrl: NO_MONGO, redisUrl: NO_REDIS });
    await writeFile(join(folder, "mongo-url"), `${world.mongoUrl}\n`);
    const env = { DATA_DIR: folder, MONGO_URL_FILE: join(folder, "mongo-url") };
    expect((await cliOn(env).json("clan", "list")).exitCode).toBe(0);
  });

  test("are never the Redis of one installation and the MongoDB of another", async () => {
    await noted({ mongoUrl: NO_MONGO, redisUrl: world.redisUrl });
    const { exitCode, answer } = await cliOn({ DATA_DIR: folder, MONGO_URL: world.mongoUrl }).json("queue", "pause");
    expect([exitCode, answer.error.message]).toEqual([
      3,
      `MONGO_URL names another server than the npm start that wrote ${join(folder, "run.json")}, so its REDIS_URL is not used. Set REDIS_URL, too.`,
    ]);
    const { stderr } = await cliOn({ DATA_DIR: folder, REDIS_URL: NO_REDIS }).run("clan", "list");
    expect(stderr).toMatch(/REDIS_URL names another server .* Set MONGO_URL, too\./);
  });

  test("are one installation however their URLs are written", async () => {
    await noted({ mongoUrl: world.mongoUrl, redisUrl: world.redisUrl });
    for (const REDIS_URL of [`${world.redisUrl}/`, `${world.redisUrl}/0?family=4`])
      expect((await cliOn({ DATA_DIR: folder, REDIS_URL }).json("queue", "status")).exitCode).toBe(0);
    expect((await cliOn({ DATA_DIR: folder, REDIS_URL: `${world.redisUrl}/9` }).run("clan", "list")).exitCode).toBe(3);
  });

  test("are rejected with exit code 2 if settings are invalid, with every name and no value", async () => {
    const env = {
      MONGO_URL: "mongodb://user:hid/den@host/?uuidRepresentation=standard",
      REDIS_URL: "redis://user:hidden@h:6379/abc",
      DATA_DIR_FILE: join(folder, "nowhere"),
    };
    const faults = Object.keys(env).map((name) => expect.stringContaining(name));
    for (const command of [["clan", "list"], ["queue", "status"], ["doctor"]]) {
      const { exitCode, answer, stderr } = await cliOn(env).json(...command);
      expect([exitCode, answer.error.faults]).toEqual([2, faults]);
      expect(stderr).not.toMatch(/hid|den@/);
    }
  });

  test.each([
    ["doctor", ["REDIS_URL", "SECRETS_KEY"]],
    ["clan list", ["REDIS_URL"]],
    ["clan create x", ["REDIS_URL", "CLANXP_ACTOR"]],
    ["reverse x --match m", ["REDIS_URL", "CLANXP_ACTOR"]],
    ["account invite eve --operator", ["REDIS_URL", "CLANXP_ACTOR", "DASHBOARD_URL"]],
    ["destination list x", ["REDIS_URL", "SECRETS_KEY", "WEBHOOK_ALLOW_PRIVATE"]],
    ["destination pause x", ["REDIS_URL", "CLANXP_ACTOR", "SECRETS_KEY", "WEBHOOK_ALLOW_PRIVATE"]],
  ])("and all other settings that %s reads are rejected together", async (command, names) => {
    const bad = { REDIS_URL: "bogus", SECRETS_KEY: "z", WEBHOOK_ALLOW_PRIVATE: "zz", DASHBOARD_URL: "zz" };
    const env = { MONGO_URL: NO_MONGO, CLANXP_ACTOR: "\u0007", ...bad };
    const { exitCode, answer } = await cliOn(env).json(...command.split(" "));
    const faults = names.map((name) => expect.stringMatching(`^${name} `));
    expect([exitCode, answer.error.faults]).toEqual([2, faults]);
  });

  test("are not opened if the command cannot print the link that it would make", async () => {
    const env = { MONGO_URL: world.mongoUrl };
    const accounts = async () => (await cliOn(env).json("account", "list")).answer;
    const [before, bad] = [await accounts(), cliOn({ ...env, DASHBOARD_URL: "zz" })];
    for (const args of ["account invite eve --operator", "account reset ann"]) {
      const { answer } = await bad.json(...args.split(" "));
      expect(answer.error.faults).toEqual([expect.stringContaining("DASHBOARD_URL")]);
    }
    expect(await accounts()).toEqual(before);
  });

  test("are unknown if run.json is incomplete", async () => {
    await writeFile(join(folder, "run.json"), '{"mongoUrl": "mongo');
    expect((await cliOn({ DATA_DIR: folder }).run("clan", "list")).exitCode).toBe(3);
  });
});
