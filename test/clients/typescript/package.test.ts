import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOpenApi } from "#contract/openapi.ts";
import { root } from "../../../scripts/paths.js";
import { wireTypes } from "../../../clients/typescript/scripts/wire-types.ts";
import { blocksOf, readPage } from "../../support/docs-page.ts";
import { until } from "../../support/until.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { makeWorld, type World } from "../../support/world.ts";
import { packedClient, type PackedClient } from "./packed-client.ts";
import { toolsOrNull } from "./tools.ts";
import { compiled, everyMethod, typed } from "./programs.ts";

const execute = promisify(execFile);
const tools = await toolsOrNull();
let packed: PackedClient;
let world: World;
let clan: ClanCaller;
let baseUrl: string;

beforeAll(async () => {
  [packed, world] = await Promise.all([packedClient(), makeWorld()]);
  const { port } = await world.startApi();
  baseUrl = `http://127.0.0.1:${port}`;
  clan = await makeClanCaller(world, port);
}, 240_000);
afterAll(() => world.close());

const inPackage = (path: string): string => readFileSync(join(packed.folder, path), "utf8");

/** A project that has the packed client installed, with these files. */
function project(files: Record<string, string>): string {
  const dir = tempDir();
  const place = join(dir, "node_modules", "@clanxp", "client");
  mkdirSync(place, { recursive: true });
  cpSync(packed.folder, place, { recursive: true });
  for (const [name, text] of Object.entries({ "package.json": '{"type":"module"}', ...files }))
    writeFileSync(join(dir, name), text);
  return dir;
}

async function output(command: string, args: string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
  const forDeno = { DENO_DIR: join(cwd, "deno"), DENO_NO_UPDATE_CHECK: "1" };
  const env = { ...process.env, ...more, HOME: cwd, ...forDeno, NO_COLOR: "1" };
  const { stdout } = await execute(command, args, { cwd, env, timeout: 120_000 }).catch((error: unknown) => {
    const { stdout: out = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")}\n${out}${stderr}`, { cause: error });
  });
  return stdout;
}

test("the package has ES and CommonJS modules with declarations, a README and a license, and no dependency", () => {
  const manifest = JSON.parse(inPackage("package.json"));
  expect(Object.keys(manifest).filter((name) => name.endsWith("ependencies"))).toStrictEqual(["devDependencies"]);
  expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toStrictEqual([]);
  const named = Object.values<any>(manifest.exports["."]).flatMap((one) => Object.values<string>(one));
  expect(named.filter((path) => !existsSync(join(packed.folder, path)))).toStrictEqual([]);
  expect(inPackage("README.md")).toContain("# @clanxp/client");
  expect(inPackage("LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  // Declarations that no entry point exports would be an interface without a guarantee.
  expect(existsSync(join(packed.folder, "dist", "attempt.d.ts"))).toBe(false);
});

test("all tools that build and test the package are locked by hash", () => {
  for (const lock of ["clients/typescript/package-lock.json", "test/clients/typescript/tools/package-lock.json"]) {
    const { packages } = JSON.parse(readFileSync(join(root, lock), "utf8"));
    const open = Object.entries<any>(packages).filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
    expect(open.map(([path]) => path)).toStrictEqual([""]);
  }
});

test.each(["dist/index.js", "dist/index.cjs"])("%s is under 9 kB gzipped", (file) => {
  expect(gzipSync(inPackage(file)).length).toBeLessThan(9_000);
});

test("queueing 10,000 awards costs less than 1 s of CPU, and little more than the calls that carry them", async () => {
  const printed = await output(process.execPath, [join(import.meta.dirname, "cpu.ts"), packed.folder], tempDir());
  const { queued, plain } = JSON.parse(printed) as { queued: number; plain: number };
  expect(queued).toBeLessThan(1_000);
  // About 3.5 on an idle machine; work that grows with what is pending would be far beyond.
  expect(queued / plain).toBeLessThan(8);
});

test("the types equal those that npm run generate derives from the OpenAPI document", () => {
  expect(readFileSync(join(root, "clients/typescript/src/wire.ts"), "utf8")).toBe(wireTypes(makeOpenApi()));
});

test("the Node.js guide has a program that writes rank changes to a file, and continues where it stopped", async () => {
  const [, program] = blocksOf(readPage("docs/how-to/nodejs.md")).filter(({ language }) => language === "js");
  const dir = project({ "ranks.mjs": (program?.text ?? "").replace('"demo"', JSON.stringify(clan.clanId)) });
  const env = { ...process.env, CLANXP_URL: baseUrl, CLANXP_KEY: clan.key };
  const read = (name: string): string => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), "utf8") : "");
  // Until the program has written its cursor, the file is empty: killed then, it would begin anew.
  const rows = (): string[] => (read("cursor.txt") === "" ? [] : read("ranks.csv").split("\n"));
  await world.startWorker();
  const written = async (amount: number, count: number): Promise<void> => {
    const child = execFile(process.execPath, ["ranks.mjs"], { cwd: dir, env });
    expect((await clan.award("rank-1", { amount })).status).toBe(200);
    await until(() => rows().length === count + 1);
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  await written(100, 1);
  await written(900, 2);
  const fields = rows().map((row) => row.split(",").slice(1).join());
  expect(fields).toStrictEqual(['"rank-1","Guest","Recruit","100"', '"rank-1","Recruit","Veteran","1000"', ""]);
});

test("the Node.js guide has a program that prints the leaderboard around a player", async () => {
  const own = await makeClanCaller(world, Number(new URL(baseUrl).port));
  for (const [index, xp] of [900, 500, 500, 100].entries()) await own.award(`player-${index + 6}`, { amount: xp });
  const programs = blocksOf(readPage("docs/how-to/nodejs.md")).filter(({ language }) => language === "js");
  const dir = project({ "board.mjs": (programs[2]?.text ?? "").replace('"demo"', JSON.stringify(own.clanId)) });
  const env = { CLANXP_URL: baseUrl, CLANXP_KEY: own.key };
  const lines = (await output(process.execPath, ["board.mjs", "player-7"], dir, env)).trimEnd().split("\n");
  expect(lines).toStrictEqual([
    "1 of 4: player-6, 900 XP",
    "2 of 4: player-7, 500 XP",
    "2 of 4: player-8, 500 XP",
    "4 of 4: player-9, 100 XP",
    "[ 'player-7 #2' ] unknown: [ 'player-0' ]",
  ]);
});

describe.skipIf(tools === null)("the packed TypeScript client", { timeout: 120_000 }, () => {
  const tool = (path: string): string => tools?.(path) ?? "";
  const runtimes: [string, string, string[]][] = [
    ["Node 18", tool("node-18/bin/node"), []],
    ["Node 20", tool("node-20/bin/node"), []],
    ["Node 22", tool("node-22/bin/node"), []],
    ["Node 24", process.execPath, []],
    ["Deno", tool("@deno/linux-x64-glibc/deno"), ["run", "--node-modules-dir=manual", "--allow-all", "--no-lock"]],
    ["Bun", tool("@oven/bun-linux-x64/bin/bun"), ["run"]],
  ];

  test.each(runtimes)("awards, queues, reads and exits by itself on %s", async (name, command, args) => {
    const dir = project({
      "program.mjs": `import { ClanXp, ClanXpError } from "@clanxp/client";\n${everyMethod}`,
      "program.cjs": `const { ClanXp, ClanXpError } = require("@clanxp/client");\n(async () => {\n${everyMethod}\n})();`,
    });
    for (const kind of ["mjs", "cjs"]) {
      const platformId = `${name.replace(" ", "-")}-${kind}`;
      const given = [`program.${kind}`, baseUrl, clan.clanId, clan.key, platformId];
      const printed = await output(command, [...args, ...given], dir);
      expect(JSON.parse(printed)).toStrictEqual({
        first: ["150", "Recruit", false],
        again: ["150", "Recruit", true],
        queued: ["151", "152", "153"],
        member: "153",
        amounts: ["1", "1", "1", "150"],
        events: [],
        missing: null,
        wrong: "invalid_argument",
        rejected: ["key_invalid", 401],
        closed: { delivered: 3, dropped: 0 },
        classes: ["ClanXp", "ClanXpError"],
        secret: false,
      });
      // What was added last was delivered before the process ended.
      expect((await clan.get(`/members/${platformId}-late`)).body.xp).toBe("7");
    }
  });

  test("prints what the Node.js guide documents, each time that the program of the guide is run", async () => {
    const page = blocksOf(readPage("docs/how-to/nodejs.md"));
    const textOf = (language: string): string => page.find((block) => block.language === language)?.text ?? "";
    const dir = project({ "award.mjs": textOf("js").replace('"demo"', JSON.stringify(clan.clanId)) });
    const env = { CLANXP_URL: baseUrl, CLANXP_KEY: clan.key };
    for (const _run of [1, 2])
      expect(await output(process.execPath, ["award.mjs"], dir, env)).toBe(`${textOf("text")}\n`);
  });

  test.each(["typescript-5.4", "typescript-5.9", "typescript-7"])(
    "compiles in strict mode with %s, for both kinds of module",
    async (version) => {
      const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true };
      const compilerOptions = { ...strict, module: "nodenext", target: "es2022", types: [] };
      const dir = project({
        "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.mts", "*.cts"] }),
        "esm.mts": typed,
        "cjs.cts": compiled,
      });
      expect(await output(process.execPath, [tool(`${version}/bin/tsc`), "--project", dir], dir)).toBe("");
      if (version !== "typescript-7") return;
      // Where there is neither DOM nor Node the declarations hold as well.
      await output(process.execPath, [tool(`${version}/bin/tsc`), "--project", dir, "--lib", "es2022"], dir);
    },
  );

  test("passes publint and arethetypeswrong", async () => {
    const dir = project({});
    const publint = [tool("publint/src/cli.js"), "run", "--strict", packed.tarball];
    expect(await output(process.execPath, publint, dir)).toContain("All good!");
    const types = [tool("@arethetypeswrong/cli/dist/index.js"), packed.tarball, "--profile", "node16"];
    await output(process.execPath, types, dir);
  });
});
