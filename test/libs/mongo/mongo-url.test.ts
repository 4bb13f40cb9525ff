// MONGO_URL defines where MongoDB is. No other part of it changes how Clan XP reads and writes.
import { MongoClient } from "mongodb";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#composition/open-database.ts";
import type { Database } from "#mongo/database.ts";
import { databaseName, mongoUrlFaults, ownUrl } from "#mongo/mongo-url.ts";
import { makeMemberStore } from "#members/store/member-store.ts";
import type { Log } from "#kernel/log.ts";
import { makeWorld, testLog } from "../../support/world.ts";

const FOREIGN =
  "readPreference=secondary&readPreferenceTags=dc:east&maxStalenessSeconds=120&readConcernLevel=linearizable" +
  "&w=0&wtimeoutMS=1&Journal=false&retryWrites=true&retryReads=false&socketTimeoutMS=1&maxPoolSize=1";
const NAMES = FOREIGN.split("&").map((option) => option.split("=")[0]);

function decided({ db }: Database): object {
  const { readPreference, readConcern, writeConcern, retryReads, retryWrites, socketTimeoutMS, maxPoolSize } =
    db().client.options;
  return { readPreference, readConcern, writeConcern, retryReads, retryWrites, socketTimeoutMS, maxPoolSize };
}

test("Clan XP replaces read, write, retry and timeout options of a MongoDB URL, and logs each replaced option", async ({
  onTestFinished,
}) => {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  const url = new URL(world.mongoUrl);
  url.search = `${url.search}${url.search === "" ? "?" : "&"}${FOREIGN}`;
  const logged: [object, string][] = [];
  const log: Log = { ...testLog, warn: (facts: object, event: string) => void logged.push([facts, event]) };
  const database = openDatabase({ url: url.href, name: "clanxp-test", log });
  onTestFinished(() => database.close());
  await database.ready;
  expect(logged).toStrictEqual([[{ options: NAMES }, "mongo.url_options_ignored"]]);
  expect(decided(database)).toStrictEqual(decided(world.database));
  // There is no secondary: a read that looked for one would find nobody.
  const member = { clanId: "c", platformId: "p" };
  await world.members.join(
    { ...member, clanId: (await world.makeClan({ clanId: "c" })).clan.clanId },
    new Date(),
    null,
  );
  expect(await makeMemberStore(database).read(member)).toMatchObject(member);
});

describe("the options that remain in a URL are correct for", () => {
  const cases: [string, string, string][] = [
    ["no options", "mongodb://a:1,b:2/clanxp", "mongodb://a:1,b:2/clanxp"],
    ["only replaced options", "mongodb://a/clanxp?w=1", "mongodb://a/clanxp"],
    [
      "several allowed options, which keep their order",
      "mongodb+srv://a/?tls=true&W=1&replicaSet=rs0",
      "mongodb+srv://a/?tls=true&replicaSet=rs0",
    ],
    [
      "a password with a question mark",
      "mongodb://u:w=%3F1&w=2@a/x?w=1&authSource=admin",
      "mongodb://u:w=%3F1&w=2@a/x?authSource=admin",
    ],
    ["an option with an @", "mongodb://u@a:1/x?w=1&appName=me@home&tlsCAFile=/a@b", "mongodb://u@a:1/x?tlsCAFile=/a@b"],
    [
      "the slash before the options left out",
      "mongodb://a?w=1&tlsCAFile=/etc/x.pem",
      "mongodb://a?tlsCAFile=/etc/x.pem",
    ],
    ["pool sizes and decoding", "mongodb://a/x?minPoolSize=50&maxPoolSize=9&promoteLongs=false", "mongodb://a/x"],
  ];
  test.each(cases)("%s", (_, given, left) => {
    expect(mongoUrlFaults(given)).toEqual([]);
    expect(ownUrl(given).url).toBe(left);
  });
});

test.each([
  ["mongodb://a", "clanxp"],
  ["mongodb://a/", "clanxp"],
  ["mongodb://a:1,b/xp", "xp"],
  ["mongodb://u:p@a/my%2Dclan?replicaSet=rs0", "my-clan"],
  ["mongodb://a?replicaSet=rs0&tlsCAFile=/etc/ssl/x.pem", "clanxp"],
  ["mongodb+srv://a.b.c/xp?tlsCAFile=/etc/ssl/ca", "xp"],
  ["mongodb://%2Ftmp%2Fmongod.sock/xp", "xp"],
  [
    "mongodb://a/x?authMechanismProperties=ENVIRONMENT:azure,TOKEN_RESOURCE:mongodb://y&authMechanism=MONGODB-OIDC",
    "x",
  ],
])("the database of %s is %s, as the driver reads it", (url, name) => {
  expect(databaseName(url)).toBe(name);
  const { dbName } = new MongoClient(url).options;
  expect(dbName).toBe(name === "clanxp" ? "test" : name); // the driver's own default
});

describe("a fault of MONGO_URL is found before a connection, and no value is part of it:", () => {
  test.each([
    ["http://S3cret", ["does not begin with mongodb:// or mongodb+srv://"]],
    ["mongodb://user:S3cr/etPw@h/clanxp", ["reserved character"]],
    ["mongodb://user:S3cr#etPw@h/clanxp", ["reserved character"]],
    ["mongodb://user:S3cr?etPw@h/clanxp", ["reserved character"]],
    ["mongodb://user:S3cr?w=etPw@h/clanxp", ["reserved character"]],
    ["mongodb://user:S3cr@etPw@h/clanxp", ["reserved character"]],
    ["mongodb://user:S3cr@S3cr/etPw@h", ["reserved character"]],
    ["mongodb://user:S3cr:etPw@h/clanxp", ["reserved character"]],
    ["mongodb://us/S3cr:etPw@h/clanxp", ["reserved character"]],
    ["mongodb://user:S3cr%etPw@h/clanxp", ["a % in its password"]],
    ["mongodb://:S3cr@h/clanxp", ["no user name"]],
    ["mongodb://a:99999,:1/", ["a port that is not a number from 1 to 65535", "an empty host name"]],
    ["mongodb+srv://a.b.c:1,d.e.f/", ["several hosts", "a port"]],
    ["mongodb://a/b/S3cr", ["no valid database name"]],
    ["mongodb://a/b%2Ec", ["no valid database name"]],
    [
      "mongodb://a:0/?uuidRepresentation=standard&tls=maybe&compressors=snappy",
      [
        "a port that is not",
        "snappy is not installed: remove it, or use zstd or zlib",
        "the option uuidRepresentation, which the MongoDB driver rejects: option uuidrepresentation is not supported",
        "the option tls, which the MongoDB driver rejects",
      ],
    ],
    ["mongodb://a,b/?directConnection=true", ["directConnection option requires exactly one host"]],
    ["mongodb://a/?tls=true&tls=false", ['"tls" cannot appear more than once']],
    ["mongodb://u:p@a/?authMechanism=S3cr", [/the option authMechanism, which the MongoDB driver rejects$/]],
    ["mongodb://u@a/?authMechanism=GSSAPI", ["kerberos is not installed"]],
  ])("%s", (url, parts) => {
    const faults = mongoUrlFaults(url);
    expect(faults).toEqual(
      parts.map((part) => (part instanceof RegExp ? expect.stringMatching(part) : expect.stringContaining(part))),
    );
    expect(faults.join()).not.toMatch(/S3cr|etPw/);
  });
});
