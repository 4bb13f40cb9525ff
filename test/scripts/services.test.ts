// A server of a data folder: a start that fails leaves nothing running, and only the folder's own containers are
// removed.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { inContainer } from "../../scripts/services/container.ts";
import { writeNote } from "../../scripts/services/notes.ts";
import { stopOrphan } from "../../scripts/services/stop-orphan.ts";
import { prepareService, type Kind } from "../../scripts/services/service.ts";
import { servers } from "../../scripts/servers/providers.ts";
import { startTimeOf } from "../../scripts/system/processes.js";
import type { Running } from "../../scripts/system/watch-child.ts";
import { tempDir } from "../support/temp-dir.ts";

function program(path: string, line: string): string {
  writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return path;
}

/** The server of a data folder, which the first provider has as this program. */
function serviceIn(dataDir: string, kind: Kind, command: string, version: string) {
  const providers = [{ title: "PATH", find: async () => ({ found: { command, version, from: "PATH" } }) }];
  const requirement = { ...servers[kind.name], providers };
  return prepareService({ kind, requirement, dataDir, cacheDir: tempDir(), log: () => {} });
}

test("a server whose process record cannot be written, as on a full disk, is stopped", async () => {
  const dataDir = tempDir();
  writeFileSync(join(dataDir, "services"), ""); // no folder: a note has no place
  const command = program(join(dataDir, "server"), "exec sleep 60");
  const kind: Kind = { name: "redis", url: () => "", args: () => [], whenReady: async () => {} };
  const service = await serviceIn(dataDir, kind, command, "1.2.3");
  const launched: Running[] = [];
  await expect(service.start((running) => launched.push(running))).rejects.toThrow(/redis .* did not come up: E/);
  expect(launched.map(({ pid }) => startTimeOf(pid))).toStrictEqual([undefined]);
});

test("a mongod that dies of SIGILL is reported with the processor that it needs", async () => {
  const dataDir = tempDir();
  const command = program(join(dataDir, "mongod"), "kill -ILL $$");
  const whenReady: Kind["whenReady"] = ({ ended }) =>
    new Promise((_ready, reject) => {
      ended.addEventListener("abort", () => reject(ended.reason as Error));
    });
  const kind: Kind = { name: "mongod", url: () => "", args: () => [], whenReady };
  const service = await serviceIn(dataDir, kind, command, "8.0.4");
  await expect(service.start()).rejects.toThrow(
    /^mongod 8\.0\.4 \(PATH\) did not come up: killed by SIGILL\nMongoDB 5\.0 and later .*AVX.*ARMv8\.2-A.*MONGO_URL/,
  );
});

test("a start on a copy of a data folder does not affect the containers of the original", async () => {
  const [original, copy, bin] = [tempDir(), tempDir(), tempDir()];
  const calls = join(bin, "calls");
  program(join(bin, "docker"), `echo "$*" >> '${calls}'`);
  writeFileSync(calls, "");
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());

  const { container } = inContainer({ program: "mongod", image: "mongo:8", dataDir: original, port: 1 });
  for (const dataDir of [original, copy]) writeNote(dataDir, "mongod", { pid: 2 ** 30, container });
  await stopOrphan(copy, "mongod", () => {});
  expect(readFileSync(calls, "utf8")).toBe("");
  await stopOrphan(original, "mongod", () => {});
  expect(readFileSync(calls, "utf8")).toBe(`rm --force ${container}\n`);
});
