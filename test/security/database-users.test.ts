// The roles of deploy/mongo/roles.js in a database that nobody has used yet: the processes need no more, and get no
// further.
import { randomBytes } from "node:crypto";
import { type Db, type Document, MongoClient } from "mongodb";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { expectResponse } from "../support/responses.ts";
import { cliOn } from "../support/cli.ts";
import { callerOf } from "../support/http.ts";
import { applyRoles, createUserFor } from "../support/mongo-roles.ts";
import { makeWorld, type World } from "../support/world.ts";

const ROLES = ["clanxp", "clanxpOperator", "clanxpNotifier"] as const;
type Role = (typeof ROLES)[number];
const NOT_AUTHORIZED = { code: 13 };
const EXPIRY = { key: { at: 1 }, name: "expiry", expireAfterSeconds: 0 };

async function expectRejected(database: Db, command: Document): Promise<void> {
  const rejection = await database.command(command).catch((error: unknown) => error);
  expect({ command, rejection }).toMatchObject({ rejection: NOT_AUTHORIZED });
}

const urls = inject("mongoUrls");
// A MongoDB that others have started may ask for no passwords.
describe.skipIf(urls.root === urls.clanxp)("database users with the documented roles", () => {
  const pwd = randomBytes(8).toString("hex");
  let world: World;
  let name: string;
  let root: MongoClient;
  const clients = new Map<Role, MongoClient>();
  beforeAll(async () => {
    world = await makeWorld();
    name = new URL(world.rootMongoUrl).pathname.slice(1);
    root = world.database.db().client;
    await world.database.db().dropDatabase();
    // As before an upgrade: the second time finds everything there.
    for (let times = 0; times < 2; times += 1) await applyRoles(root, name);
    for (const role of ROLES) {
      await createUserFor(root, { role, storedIn: name, user: userOf(role), pwd });
      clients.set(role, await new MongoClient(urlAs(role), { useBigInt64: true }).connect());
    }
  });
  afterAll(async () => {
    for (const client of clients.values()) await client.close();
    for (const role of ROLES) await root.db("admin").command({ dropUser: userOf(role) });
    await root.db(name).command({ dropAllRolesFromDatabase: 1 });
    await world.close();
  });

  const userOf = (role: Role): string => `${name}-${role}`;
  function urlAs(role: Role): string {
    const url = new URL(world.rootMongoUrl);
    return Object.assign(url, { username: userOf(role), password: pwd }).href;
  }
  const as = (role: Role, database = name): Db => (clients.get(role) as MongoClient).db(database);

  test("let an API and a notifier wait until a worker has created collections and indexes, and pass clanxp doctor", async () => {
    const [api] = await Promise.all([
      world.startApi({ config: { mongoUrl: urlAs("clanxp") } }),
      world.startNotifier({ config: { mongoUrl: urlAs("clanxpNotifier") } }),
      world.startWorker({ config: { mongoUrl: urlAs("clanxpOperator") } }),
    ]);
    const cli = cliOn({ MONGO_URL: urlAs("clanxpOperator"), REDIS_URL: world.redisUrl });
    let checks: any[] = [];
    // Again where a server was too slow: the command waits for a few seconds at most.
    const failed = async (): Promise<unknown[]> => {
      ({ checks } = (await cli.json("doctor")).answer);
      return checks.filter(({ name: check, status }) => status !== "ok" && check !== "mongo version");
    };
    await expect.poll(failed).toStrictEqual([]);
    expect(checks).toContainEqual({ name: "mongo transactions", status: "ok", detail: "the limit is 10 s", fix: null });

    expect((await cli.run("clan", "create", "outpost", "--auto")).exitCode).toBe(0);
    const { secret } = (await cli.json("key", "create", "outpost", "--name", "game")).answer;
    const caller = callerOf(api.port, secret, "/v0/clans/outpost");
    expect(expectResponse("apply-award", await caller.post("/members/m/xp", { amount: 5 })).xp).toBe("5");
    const batch = await caller.post("/xp", { awards: [{ platformId: "m", amount: 7 }] });
    expect(expectResponse("submit-batch", batch).applied).toBe(1);
    const { records } = (await cli.json("audit", "list")).answer;
    expect(records.map(({ action }: any) => action)).toStrictEqual(["key.create", "clan.create"]);
    expect((await cli.json("reconcile")).answer).toMatchObject({ differences: [] });
  });

  const everyAudit = { q: {}, limit: 0 };
  const inAudit: [string, Document][] = [
    ["change a record", { update: "audit", updates: [{ q: {}, u: { $set: { actor: "nobody" } }, multi: true }] }],
    ["replace a record", { findAndModify: "audit", query: {}, update: { actor: "nobody" } }],
    ["delete a record", { delete: "audit", deletes: [everyAudit] }],
    ["let records expire", { createIndexes: "audit", indexes: [EXPIRY] }],
    ["change the collection", { collMod: "audit", validator: { nothing: true } }],
    ["drop the collection", { drop: "audit" }],
    ["write another collection over it", { aggregate: "clans", pipeline: [{ $out: "audit" }], cursor: {} }],
  ];
  test.each(ROLES.flatMap((role) => inAudit.map(([what, command]) => ({ role, what, command }))))(
    "do not let $role $what in the audit log",
    async ({ role, command }) => {
      await root.db(name).collection("audit").insertOne({ at: new Date(), actor: role });
      const before = await root.db(name).collection("audit").find().toArray();
      expect(before.length).toBeGreaterThan(0);
      await expectRejected(as(role), command);
      expect(await root.db(name).collection("audit").find().toArray()).toStrictEqual(before);
    },
  );

  const entries: Document[] = [
    { update: "ledger", updates: [{ q: {}, u: { $set: { xp: 0 } } }] },
    { delete: "ledger", deletes: [{ q: {}, limit: 0 }] },
    { createIndexes: "ledger", indexes: [EXPIRY] },
    { drop: "ledger" },
    { delete: "members", deletes: [{ q: {}, limit: 0 }] },
    { delete: "reversals", deletes: [{ q: {}, limit: 0 }] },
  ];
  test.each(entries)("let clanxp only add to the ledger and delete nothing of members: %o", async (command) => {
    await expectRejected(as("clanxp"), command);
  });

  const kept = ["ledger", "members", "clans", "keys", "events", "accounts", "audit", "meta"];
  const changes = kept.flatMap((collection): Document[] => [
    { insert: collection, documents: [{ _id: "x" }] },
    { update: collection, updates: [{ q: {}, u: { $set: { x: 1 } } }] },
    { delete: collection, deletes: [{ q: {}, limit: 0 }] },
  ]);
  const secretsOfOthers: Document[] = ["keys", "accounts", "sessions", "audit"].map((find) => ({ find }));
  test("let clanxpNotifier, which reaches strangers, change no XP, rules and access, and read no credentials", async () => {
    const more = [...changes, ...secretsOfOthers, { delete: "destinations", deletes: [{ q: {}, limit: 0 }] }];
    for (const command of more) await expectRejected(as("clanxpNotifier"), command);
    expect((await as("clanxpNotifier").command({ find: "events" })).ok).toBe(1);
  });

  test.each(ROLES)(
    "give %s no rights on other databases, users and roles, and no right to drop its own database",
    async (role) => {
      const other = `${name}-other`;
      const rejected: [string, Document][] = [
        [other, { find: "clans" }],
        [other, { insert: "clans", documents: [{ _id: 1 }] }],
        ["admin", { find: "system.users" }],
        ["local", { find: "oplog.rs" }],
        ["config", { find: "transactions" }],
        ["admin", { createUser: "more", pwd: "more", roles: ["root"] }],
        ["admin", { setParameter: 1, logLevel: 1 }],
        [name, { createRole: "more", privileges: [], roles: ["readWrite"] }],
        [name, { grantRolesToUser: userOf(role), roles: ["readWrite"] }],
        [name, { insert: "elsewhere", documents: [{ _id: 1 }] }],
        [name, { dropDatabase: 1 }],
      ];
      for (const [database, command] of rejected) await expectRejected(as(role, database), command);
      const { databases } = await as(role, "admin").command({ listDatabases: 1, nameOnly: true });
      expect(databases).toStrictEqual([{ name }]);
    },
  );
});
