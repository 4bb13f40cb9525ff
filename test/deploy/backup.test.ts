// The script of scheduled backups, with a stand-in for mongodump, which no source of the tests provides.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { tempDir } from "../support/temp-dir.ts";

const OLDER = ["clanxp-20261101T030000Z.archive.gz", "clanxp-20261102T030000Z.archive.gz"];
const MONGO_URL = "mongodb://backup:pa%20ss@mongo-0:27017/?replicaSet=rs0&tls=true";
/** Writes the content of its configuration, then its arguments, and exits with a code. */
const standIn = (code: number) => `#!/bin/bash
for argument; do [[ $argument == --archive=* ]] && archive="\${argument#*=}"; done
[ "$1" = --config ] && cat "$2" > "$archive" && shift 2
echo "$@" >> "$archive"
exit ${code}
`;

/** Runs a backup beside older archives and a file of somebody else. */
function backUp({ keep, code }: { keep: number; code: number }) {
  const [dir, programs] = [join(tempDir(), "backups"), tempDir()];
  mkdirSync(dir);
  for (const name of [...OLDER, "clanxp-20261103T030000Z.archive.gz.partial", "notes.txt"])
    writeFileSync(join(dir, name), name);
  writeFileSync(join(programs, "mongodump"), standIn(code), { mode: 0o755 });
  const env = { PATH: `${programs}:/usr/bin:/bin`, MONGO_URL, BACKUP_DIR: dir, BACKUPS_KEPT: `${keep}` };
  const done = promisify(execFile)("bash", [join(root, "deploy/mongo/backup.sh")], { env });
  return { done, dir, files: () => readdirSync(dir).toSorted() };
}

test("a backup is complete before it has the name of an archive, and its URL is no argument", async () => {
  const { done, dir, files } = backUp({ keep: 7, code: 0 });
  await done;
  const [first, second, archive = "", ...others] = files();
  expect([first, second, ...others]).toStrictEqual([...OLDER, "notes.txt"]);
  expect(archive).toMatch(/^clanxp-\d{8}T\d{6}Z\.archive\.gz$/);
  expect(readFileSync(join(dir, archive), "utf8")).toBe(
    `uri: ${MONGO_URL}\n--oplog --gzip --archive=${archive}.partial\n`,
  );
});

test("a backup deletes the oldest archives beyond the number that is kept, and nothing else", async () => {
  const { done, files } = backUp({ keep: 2, code: 0 });
  await done;
  const [kept, , ...others] = files();
  expect([kept, ...others]).toStrictEqual([OLDER[1], "notes.txt"]);
});

test("a backup that fails is reported, and deletes no archive", async () => {
  const { done, files } = backUp({ keep: 1, code: 1 });
  await expect(done).rejects.toThrow("Command failed");
  expect(files().filter((name) => name.endsWith(".archive.gz"))).toStrictEqual(OLDER);
});
