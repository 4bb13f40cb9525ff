// deploy/mongo/roles.js, run as mongosh runs it, and users that have these roles.
//
// In mongosh a command returns its reply synchronously; the driver's is asynchronous. So the existing roles are read
// before the script runs, and its changes are recorded and sent when it has ended.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import type { Document, MongoClient } from "mongodb";
import { root } from "../../scripts/paths.js";

const script = readFileSync(join(root, "deploy/mongo/roles.js"), "utf8");

type Sent = { database: string; command: Document };

/**
 * What the script sends where it is run for the database `name`, and its roles are stored in `storedIn`. `existing`: by
 * database, the names of the roles there.
 */
export function commandsOfRoles(
  name: string,
  storedIn = name,
  existing: ReadonlyMap<string, readonly string[]> = new Map(),
): Sent[] {
  const sent: Sent[] = [];
  const inDatabase = (database: string) => ({
    runCommand(command: Document): Document {
      const { rolesInfo } = command;
      if (rolesInfo !== undefined) {
        const roles = existing.get(database) ?? [];
        return { ok: 1, roles: roles.filter((role) => role === rolesInfo).map((role) => ({ role, db: database })) };
      }
      // Copied out of the script's context, which has other Object and Array constructors.
      sent.push({ database, command: structuredClone(command) });
      return { ok: 1 };
    },
  });
  const db = { getName: () => name, getSiblingDB: inDatabase, ...inDatabase(storedIn) };
  runInNewContext(script, { db, print() {} });
  return sent;
}

/** `name` "": roles for every database. They are stored in `storedIn`. */
export async function applyRoles(client: MongoClient, name: string, storedIn = name): Promise<void> {
  const existing = new Map<string, string[]>();
  for (const database of new Set(["admin", storedIn])) {
    const { roles } = await client.db(database).command({ rolesInfo: 1 });
    existing.set(
      database,
      roles.map(({ role }: { role: string }) => role),
    );
  }
  for (const { database, command } of commandsOfRoles(name, storedIn, existing)) {
    await client.db(database).command(command);
  }
}

/** A user of the database `admin` with this role of `storedIn`, and with what the doctor may ask for. */
export async function createUserFor(
  client: MongoClient,
  { role, storedIn, user = role, pwd }: { role: string; storedIn: string; user?: string; pwd: string },
): Promise<void> {
  const roles = [
    { role, db: storedIn },
    { role: "clanxpDoctor", db: "admin" },
  ];
  await client.db("admin").command({ createUser: user, pwd, roles });
}
