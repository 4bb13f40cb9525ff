// The scripts of docker-compose.yml without their containers: what a kill in the middle leaves.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../scripts/paths.js";
import { tempDir } from "../support/temp-dir.ts";
import { readDeployed } from "./alerts.ts";

const MONGO = 999;

/** Runs backup.js as mongosh does, on a `tar` of these lines; answers what it quits with. */
function backUp(...tar: string[]): { codes: number[]; errors: string[] } {
  const bin = tempDir();
  writeFileSync(join(bin, "tar"), ["#!/bin/sh", ...tar, ""].join("\n"), { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [codes, errors]: [number[], string[]] = [[], []];
  const files = { readFileSync: () => "password", readdirSync: () => ["mongo-data"] };
  const modules = createRequire(import.meta.url);
  runInNewContext(readDeployed("compose/backup.js"), {
    require: (name: string) => (name === "node:fs" ? files : modules(name)),
    Mongo: class {
      getDB = () => ({ fsyncLock: () => {}, fsyncUnlock: () => {} });
    },
    console: { error: (text: string) => errors.push(text) },
    quit: (code: number) => codes.push(code),
  });
  return { codes, errors };
}

test("a backup fails unless its archive is complete, even if a signal ended tar without an error", () => {
  expect(backUp("exit 0")).toStrictEqual({ codes: [], errors: [] });
  expect(backUp("exit 1")).toStrictEqual({ codes: [], errors: [] });
  expect(backUp("exit 2")).toStrictEqual({ codes: [1], errors: ["tar ended with 2"] });
  expect(backUp("kill -9 $$")).toStrictEqual({ codes: [1], errors: ["tar ended with SIGKILL"] });
  expect(backUp("echo 'no space' >&2")).toStrictEqual({ codes: [1], errors: ["no space\n"] });
});

const canDropRights = process.getuid?.() === 0 && spawnSync("setpriv", ["--version"]).status === 0;

test.skipIf(!canDropRights)(
  "passwords are generated even after a start that was killed before it renamed a file",
  () => {
    const folder = tempDir();
    for (const name of ["mongo", "redis", "app", "api", "notifier", "key", "hook", "demo", "caddy"])
      mkdirSync(join(folder, name));
    const draft = join(folder, "mongo", "password.new");
    writeFileSync(draft, "half", { mode: 0o400 });
    chownSync(draft, MONGO, MONGO);
    // Where the key of destinations' secrets was, the API read it too.
    const key = randomBytes(32).toString("base64");
    for (const volume of ["app", "api", "notifier"]) writeFileSync(join(folder, volume, "secrets-key"), key);
    // The rights of the service `secrets`: to change the owner of its files, not those of others.
    const rights = ["--bounding-set=-all,+chown,+dac_override", "--inh-caps=-all,+chown,+dac_override"];
    const script = join(root, "deploy/compose/make-secrets.js");
    const ended = spawnSync("setpriv", [...rights, process.execPath, script, folder], { encoding: "utf8" });
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(folder, "mongo", "password"), "utf8")).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(folder, "mongo", "password"))).toMatchObject({ uid: MONGO });
    expect(readFileSync(join(folder, "key", "secrets-key"), "utf8")).toBe(key);
    for (const volume of ["app", "api", "notifier"]) expect(readdirSync(join(folder, volume))).toHaveLength(3);
  },
);
