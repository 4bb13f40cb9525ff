// What doctor says about the shard keys that a router reports.
import { expect, test } from "vitest";
import { checkShardKeys, withoutShardKeys } from "#operations/check-shard-keys.ts";
import type { ShardKey } from "#operations/ports.ts";

const ledger = (fields: ShardKey["fields"]): ShardKey => ({ collection: "ledger", fields });
const members: ShardKey = { collection: "members", fields: { _id: 1 } };
const hashed = ledger({ "_id.clanId": "hashed" });
const indexes = { collection: "ledger", missing: [], unexpected: ["_id.clanId_hashed", "other"] };

test("a replica set has no shard keys to check", () => {
  expect(checkShardKeys(null)).toStrictEqual([]);
  expect(withoutShardKeys(indexes, null)).toStrictEqual(indexes);
});

test.each<[ShardKey[] | "unreported", string]>([
  ["unreported", "the server does not report them"],
  [[], "no collection is sharded"],
  [[members], "members by _id"],
  [[hashed, members], "ledger by _id.clanId (hashed); members by _id"],
  [[ledger({ "_id.clanId": 1 })], "ledger by _id.clanId"],
  [[ledger({ "_id.clanId": 1, "_id.platformId": 1 })], "ledger by _id.clanId, _id.platformId"],
])("%j is ok: %s", (found, detail) => {
  expect(checkShardKeys(found)).toStrictEqual([{ name: "mongo shard keys", status: "ok", detail, fix: null }]);
});

test.each<[ShardKey, string]>([
  [{ collection: "batches", fields: { clanId: 1 } }, "batches by clanId"],
  [{ collection: "members", fields: { clanId: 1 } }, "members by clanId"],
  [ledger({ "_id.platformId": 1, "_id.clanId": 1 }), "ledger by _id.platformId, _id.clanId"],
  [ledger({ "_id.clanId": 1, "_id.platformId": "hashed" }), "ledger by _id.clanId, _id.platformId (hashed)"],
])("%j fails, and a supported key beside it is not named", (found, named) => {
  expect(checkShardKeys([hashed, found])).toMatchObject([
    { status: "fail", detail: `not supported: ${named}`, fix: expect.stringContaining("supported-shard-keys") },
  ]);
});

test("the index of a shard key is expected, and any other is not", () => {
  expect(withoutShardKeys(indexes, [hashed, members]).unexpected).toStrictEqual(["other"]);
  expect(withoutShardKeys(indexes, [members])).toStrictEqual(indexes);
});
