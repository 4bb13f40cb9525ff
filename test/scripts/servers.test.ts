// Where servers come from: the order, the reasons, and a download that is whole or fetched again.
import { appendFileSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { download } from "../../scripts/servers/download.ts";
import { findServer, type Provider } from "../../scripts/servers/find-server.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { onPath } from "../../scripts/servers/on-path.ts";
import { tempDir } from "../support/temp-dir.ts";

const MISSING = "is not there";

function program(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function provider(title: string, answer: Awaited<ReturnType<Provider["find"]>>): Provider {
  return { title, find: async () => answer };
}

function found(title: string): Provider {
  return provider(title, { found: { command: title, version: "1.2.3", from: title } });
}

function makeContext() {
  const lines: string[] = [];
  return { lines, options: { cacheDir: tempDir(), log: (line: string) => void lines.push(line) } };
}

/** Nothing is installed but what the test puts there. */
function emptyPath(): string {
  const bin = tempDir();
  vi.stubEnv("PATH", bin);
  onTestFinished(() => void vi.unstubAllEnvs());
  return bin;
}

test("the first available provider is selected, with the reasons why earlier ones were not", async () => {
  const providers = [provider("PATH", { reason: MISSING }), found("Docker"), found("PyPI")];
  const server = await findServer({ program: "mongod", providers, remedies: [] }, makeContext().options);
  expect(server).toMatchObject({ command: "Docker", why: `PATH: ${MISSING}` });
});

test("servers on this machine are preferred to downloads", async () => {
  const fetching: Provider = {
    title: "Docker",
    find: async ({ mayFetch }) =>
      mayFetch ? { found: { command: "d", version: "1.0.0", from: "d" } } : { reason: "not pulled yet" },
  };
  const server = await findServer(
    { program: "mongod", providers: [fetching, found("PyPI")], remedies: [] },
    makeContext().options,
  );
  expect(server).toMatchObject({ command: "PyPI", why: "Docker: not pulled yet" });
});

test("data is opened by the server that wrote it, as long as that is available", async () => {
  const requested = { program: "mongod", providers: [found("PATH"), found("PyPI")], remedies: [] };
  for (const [preferred, command] of [
    ["PyPI", "PyPI"],
    ["Docker", "PATH"],
  ])
    expect(await findServer(requested, { ...makeContext().options, preferred })).toMatchObject({ command });
});

test("a program on PATH is used only if it prints its version", async () => {
  const bin = emptyPath();
  const { options } = makeContext();
  const find = () => onPath(["redis-server", "valkey-server"]).find({ ...options, mayFetch: false });
  expect(await find()).toEqual({ reason: "redis-server is not installed, valkey-server is not installed" });
  program(join(bin, "redis-server"), "echo no such applet");
  expect(await find()).toMatchObject({ reason: expect.stringContaining("no such applet") });
  program(join(bin, "valkey-server"), "echo Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64");
  expect(await find()).toMatchObject({ found: { command: "valkey-server", version: "8.0.1" } });
});

test.each(["mongod", "redis"] as const)(
  "without a provider for %s, the error lists the reason of every provider and three solutions",
  async (name) => {
    emptyPath();
    vi.stubEnv("MONGOMS_DOWNLOAD_MIRROR", "https://127.0.0.1:1");
    const error: unknown = await findServer(servers[name], makeContext().options).catch((thrown: unknown) => thrown);
    const message = error instanceof Error ? error.message : "";
    for (const { title } of servers[name].providers)
      expect(message).toMatch(new RegExp(`^  ${title}: .*(is not installed|it is for|ECONNREFUSED)`, "m"));
    expect(message.match(/^ {2}[123]\. /gm)).toHaveLength(3);
  },
);

test.each([
  { where: "on PATH", name: "mongod", lines: "kill -ILL $$" },
  { where: "on PATH, after its first words", name: "mongod", lines: "echo starting; kill -ILL $$" },
  { where: "in a container", name: "docker", lines: 'case "$1" in run) exit 132 ;; esac' },
])(
  "if mongod dies of SIGILL $where, the error says which processor it needs, and advises no other mongod",
  async ({ name, lines }) => {
    const bin = emptyPath();
    vi.stubEnv("MONGOMS_DOWNLOAD_MIRROR", "https://127.0.0.1:1");
    program(join(bin, name), lines);
    const error: unknown = await findServer(servers.mongod, makeContext().options).catch((thrown: unknown) => thrown);
    const message = error instanceof Error ? error.message : "";
    expect(message).toMatch(/^ {2}(PATH|Docker): .*(SIGILL|132)/m);
    expect(message).toMatch(/AVX.*ARMv8\.2-A.*another machine.*MONGO_URL/);
    expect(message).not.toContain("Solutions:");
  },
);

test("Docker is used if its engine responds and has the image", async () => {
  const bin = emptyPath();
  program(join(bin, "docker"), `case "$1" in run) echo 'db version v8.0.4' ;; esac`);
  const server = await findServer(servers.mongod, makeContext().options);
  expect(server).toMatchObject({ image: "mongo:8", version: "8.0.4", why: "PATH: mongod is not installed" });
});

test("an image that cannot be pulled is reported as a reason, and other providers are tried", async () => {
  const bin = emptyPath();
  program(join(bin, "docker"), `case "$1" in image) exit 1 ;; pull) echo 'Error: no such host' >&2; exit 1 ;; esac`);
  await expect(findServer(servers.redis, makeContext().options)).rejects.toThrow("Docker: Error: no such host");
});

/** A provider whose download can be broken on purpose. */
function makeDownload() {
  const world = { fills: 0, broken: false };
  const file = (dir: string) => join(dir, "server");
  const requested = download({
    title: "package",
    from: "package server",
    folder: "server",
    program: file,
    async fill(dir) {
      world.fills += 1;
      mkdirSync(join(dir, "more"));
      if (world.broken) return { reason: "connection reset" };
      program(file(dir), "echo server v1.2.3");
      return undefined;
    },
  });
  return { world, requested, file };
}

test("a download is fetched once, and again if its file is damaged", async () => {
  const { world, requested, file } = makeDownload();
  const { options, lines } = makeContext();
  const find = () => requested.find({ ...options, mayFetch: true });
  const dir = join(options.cacheDir, "servers", "server");

  expect(await find()).toMatchObject({ found: { command: file(dir), version: "1.2.3" } });
  await find();
  expect(world.fills).toBe(1);

  const damages = [
    () => truncateSync(file(dir), 5),
    () => truncateSync(file(dir), 0),
    () => appendFileSync(file(dir), "# more\n"),
    () => truncateSync(join(dir, "sha256"), 3),
  ];
  for (const [index, damage] of damages.entries()) {
    damage();
    expect(await requested.find({ ...options, mayFetch: false })).toEqual({ reason: "damaged" });
    expect(await find()).toMatchObject({ found: { version: "1.2.3" } });
    expect(world.fills).toBe(index + 2);
  }
  expect(lines.filter((line) => line.includes("cannot be used (damaged): it is fetched again"))).toHaveLength(
    damages.length,
  );
});

test("an interrupted download leaves nothing, and the next attempt starts from the beginning", async () => {
  const { world, requested } = makeDownload();
  const { options } = makeContext();
  const parent = join(options.cacheDir, "servers");
  world.broken = true;
  expect(await requested.find({ ...options, mayFetch: true })).toEqual({ reason: "connection reset" });
  expect(readdirSync(parent)).toEqual([]);

  mkdirSync(join(parent, "part-server-killed")); // what a kill -9 leaves
  world.broken = false;
  expect(await requested.find({ ...options, mayFetch: true })).toHaveProperty("found");
  expect(readdirSync(parent)).toEqual(["server"]);
});
