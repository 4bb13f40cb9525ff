// deploy/mongo/roles.js, run as mongosh runs it, and users that have these roles.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import type { mongo } from "mongoose";
import { root } from "../../scripts/paths.js";

/** mongosh waits for each command by itself, and takes no `await` outside of functions. */
const script = readFileSync(join(root, "deploy/mongo/roles.js"), "utf8")
  .replaceAll(/\b\w+\.runCommand\(/g, "await $&")
  .replace("function setRole(", "async $&")
  .replaceAll(/^setRole\(/gm, "await $&");

/** `name` "": roles for every database. They are stored in `storedIn`. */
export async function applyRoles(client: mongo.MongoClient, name: string, storedIn = name): Promise<void> {
  const runOn = (database: string) => ({
    runCommand: (command: mongo.Document) => client.db(database).command(command),
  });
  const db = { getName: () => name, getSiblingDB: runOn, ...runOn(storedIn) };
  await runInNewContext(`(async () => {${script}\n})()`, { db, print() {} });
}

/** A user of the database `admin` with this role of `storedIn`, and with what the doctor may ask for. */
export async function createUserFor(
  client: mongo.MongoClient,
  { role, storedIn, user = role, pwd }: { role: string; storedIn: string; user?: string; pwd: string },
): Promise<void> {
  const roles = [
    { role, db: storedIn },
    { role: "clanxpDoctor", db: "admin" },
  ];
  await client.db("admin").command({ createUser: user, pwd, roles });
}
