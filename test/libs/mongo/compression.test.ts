// How MongoDB stores the ledger: most of an installation's disk space.
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#composition/open-database.ts";
import { makeWorld, testLog } from "../../support/world.ts";

async function compressorsOf(url: string): Promise<(string | undefined)[]> {
  const database = openDatabase({ url, name: "clanxp-test", log: testLog });
  onTestFinished(() => database.close());
  await database.ready;
  const stats = await database.db().command({ collStats: "ledger" });
  const parts: { creationString: string }[] = [stats["wiredTiger"], ...Object.values<any>(stats["indexDetails"])];
  return parts.map(({ creationString }) => /block_compressor=(\w*)/.exec(creationString)?.[1]);
}

test("a new ledger and all its indexes are compressed with zstd, and one that exists is used as it is", async () => {
  const world = await makeWorld();
  onTestFinished(() => world.close());
  expect(new Set(await compressorsOf(world.rootMongoUrl))).toStrictEqual(new Set(["zstd"]));
  await world.database.db().dropCollection("ledger");
  await world.database.db().createCollection("ledger");
  const [ofEntries] = await compressorsOf(world.rootMongoUrl);
  expect(ofEntries).toBe("snappy");
});
