// Writes data and passwords of the compose file as one tar archive to standard output, while everything runs. MongoDB
// holds back writes meanwhile, so that its files are of one moment; awards wait and are applied afterwards.

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");

const VOLUMES = "/volumes";
// Preallocated files and MongoDB's own diagnostics change all the time and are created anew.
const LEFT_OUT = ["mongod.lock", "WiredTigerPreplog.*", "diagnostic.data"].map((name) => `--exclude=${name}`);
// Checkpoints go on, which is harmless: the restored server reads the files as of WiredTiger.backup, which the lock has
// written.
const TAR = [
  "--create",
  "--file",
  "-",
  "--directory",
  VOLUMES,
  "--numeric-owner",
  "--warning=no-file-changed",
  ...LEFT_OUT,
];

const password = fs.readFileSync(`${VOLUMES}/mongo-secrets/admin-password`, "utf8").trim();
const admin = new Mongo(`mongodb://admin:${password}@mongo:27017/?directConnection=true&authSource=admin`).getDB(
  "admin",
);

admin.fsyncLock();
let tar;
try {
  tar = spawnSync("tar", [...TAR, ...fs.readdirSync(VOLUMES)], {
    stdio: ["ignore", "inherit", "pipe"],
    encoding: "utf8",
  });
} finally {
  admin.fsyncUnlock();
}
// 1 without a word: only files that changed, as above. Null: it was ended by a signal, or was not started.
if (![0, 1].includes(tar.status) || tar.stderr !== "") {
  console.error(tar.stderr || String(tar.error ?? `tar ended with ${tar.signal ?? tar.status}`));
  quit(1);
}
