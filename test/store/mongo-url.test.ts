// MONGO_URL defines where MongoDB is. No other part of it changes how Clan XP reads and writes.
import { describe, expect, test } from "vitest";
import { openDatabase, type Database } from "#store/database.ts";
import { ownUrl } from "#store/mongo-url.ts";
import { makeMemberStore } from "#store/members/member-store.ts";
import type { Log } from "#usecases/ports.ts";
import { makeWorld, testLog } from "../support/world.ts";

const FOREIGN =
  "readPreference=secondary&readPreferenceTags=dc:east&maxStalenessSeconds=120&readConcernLevel=linearizable" +
  "&w=0&wtimeoutMS=1&Journal=false&retryWrites=true&retryReads=false&socketTimeoutMS=1&maxPoolSize=1";
const NAMES = FOREIGN.split("&").map((option) => option.split("=")[0]);

function decided({ connection }: Database): object {
  const { readPreference, readConcern, writeConcern, retryReads, retryWrites, socketTimeoutMS, maxPoolSize } =
    connection.getClient().options;
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
}, 30_000);

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
      "mongodb://u:w=?1&w=2@a/x?w=1&authSource=admin",
      "mongodb://u:w=?1&w=2@a/x?authSource=admin",
    ],
    ["an option with an @", "mongodb://a:1/x?w=1&appName=me@home&tlsCAFile=/a@b", "mongodb://a:1/x?tlsCAFile=/a@b"],
  ];
  test.each(cases)("%s", (_, given, left) => {
    expect(ownUrl(given).url).toBe(left);
  });
});
