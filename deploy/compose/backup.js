// Writes data and passwords of the compose file as one tar archive to standard output, while everything runs. MongoDB holds back
// writes meanwhile, so that its files are of one moment; awards wait and are applied afterwards.

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");

const VOLUMES = "/volumes";
const password = fs.readFileSync(`${VOLUMES}/mongo-secrets/admin-password`, "utf8").trim();
const admin = new Mongo(`mongodb://admin:${password}@mongo:27017/?directConnection=true&authSource=admin`).getDB("admin");

admin.fsyncLock();
let status = null;
try {
  const tar = ["--create", "--file", "-", "--directory", VOLUMES, "--numeric-owner", "--exclude=mongod.lock", "."];
  ({ status } = spawnSync("tar", tar, { stdio: ["ignore", "inherit", "inherit"] }));
} finally {
  admin.fsyncUnlock();
}
if (status !== 0) quit(1);
