// reconcile finds each kind of damage to the ledger, and only what is damaged.
import { describe, expect, test } from "vitest";
import { ERASED } from "#domain/erased.ts";
import { memberDoc, useReconcile } from "./use-reconcile.ts";

const { cli, collection, livedInClan, differencesOf } = await useReconcile();

type Damage = (clanId: string, batchId: string) => Promise<unknown>;
const member = (clanId: string, platformId = "plain") => ({ _id: `${clanId}/${platformId}` });
const entry = (clanId: string, seq: number, platformId = "plain") => ({ _id: { clanId, platformId, seq } });

/** Each difference by its kind, its member, and the result or the entry. */
async function expectFound(damage: Damage, expected: readonly string[]): Promise<void> {
  const { clanId, batchId } = await livedInClan();
  expect(await differencesOf(clanId)).toEqual([]);
  await damage(clanId, batchId);
  const found = await differencesOf(clanId);
  const words = found.map(({ kind, platformId, seq, index }) => [kind, platformId, index ?? seq]);
  expect(words.map((some) => some.filter((word) => word !== undefined).join(" "))).toEqual(expected);
  for (const difference of found) expect(difference).toMatchObject({ clanId, detail: expect.any(String) });
}

const setMember =
  (platformId: string, update: object): Damage =>
  (clanId) =>
    collection("members").updateOne(member(clanId, platformId), update);
const forgeMember =
  (platformId: string): Damage =>
  (clanId) =>
    collection("members").insertOne(memberDoc(clanId, platformId));
const deleteMember =
  (platformId: string): Damage =>
  (clanId) =>
    collection("members").deleteOne(member(clanId, platformId));
const setEntry =
  (seq: number, fields: object, platformId?: string): Damage =>
  (clanId) =>
    collection("ledger").updateOne(entry(clanId, seq, platformId), { $set: fields });
const deleteEntry =
  (seq: number, platformId?: string): Damage =>
  (clanId) =>
    collection("ledger").deleteOne(entry(clanId, seq, platformId));
const setBatch =
  (update: object): Damage =>
  (_, batchId) =>
    collection("batches").updateOne({ _id: batchId }, update);
const setResult = (field: string, value: unknown): Damage => setBatch({ $set: { [`outcomes.${field}`]: value } });
const deleteBatch: Damage = (_, batchId) => collection("batches").deleteOne({ _id: batchId });
const membership = { since: new Date() };

describe("reconcile detects damage to a member:", () => {
  test.each<[string, Damage, string[]]>([
    ["XP changed", setMember("plain", { $inc: { xp: 1 } }), ["xp_not_sum plain"]],
    ["XP stored as another number type", setMember("plain", { $set: { xp: 7 } }), ["xp_not_sum plain"]],
    ["XP that is no number", setMember("plain", { $set: { xp: "104" } }), ["xp_not_sum plain"]],
    ["XP without any entry", forgeMember("forged"), ["entries_missing forged"]],
    ["the only entry deleted", deleteEntry(1, "capped"), ["entries_missing capped"]],
    ["the first entry deleted", deleteEntry(1), ["seq_broken plain 2", "xp_not_sum plain"]],
    ["an entry in the middle deleted", deleteEntry(2), ["seq_broken plain 3", "xp_not_sum plain"]],
    ["an entry's applied changed", setEntry(3, { applied: 0n }), ["running_xp plain 3", "xp_not_sum plain"]],
    ["an entry's XP changed", setEntry(3, { xp: 105n }), ["running_xp plain 3"]],
    ["an entry's number that is no integer", setEntry(1, { applied: 0.5 }, "idle"), ["running_xp idle 1"]],
    ["the head's seq changed", setMember("capped", { $inc: { seq: 1 } }), ["seq_broken capped"]],
    ["the member deleted", deleteMember("capped"), ["member_missing capped"]],
    ["a membership removed", setMember("plain", { $set: { membership: null } }), ["membership_missing plain"]],
    ["an ended membership restored", setMember("left", { $set: { membership } }), ["membership_left left"]],
    ["a membership created twice", setEntry(3, { membershipCreated: true }), ["membership_twice plain 3"]],
    ["a member filed under another clan", setMember("idle", { $set: { clanId: "other" } }), ["member_misfiled idle"]],
  ])("%s", async (_, damage, expected) => {
    await expectFound(damage, expected);
  });
});

describe("reconcile detects damage to a batch:", () => {
  const erased = { platformId: ERASED, code: "cancelled", detail: "erased" };
  const rejected = { platformId: "only-batch", code: "invalid_request", detail: "forged" };
  const applied = { platformId: "no amount", xp: 5n, rank: "Guest" };
  test.each<[string, Damage, string[]]>([
    ["the XP of a result changed", setResult("0.xp", 1_000_000n), ["batch_result plain 0"]],
    ["the rank of a result changed", setResult("3.rank", "Elite"), ["batch_result plain 3"]],
    ["a result of another member", setResult("2.platformId", "plain"), ["batch_result only-batch 2"]],
    ["an applied award reported as rejected", setResult("2", rejected), ["batch_result only-batch 2"]],
    ["a rejected award reported as applied", setResult("1", applied), ["batch_result no amount 1"]],
    ["an entry that reappeared after an erasure", setResult("2", erased), ["batch_result only-batch 2"]],
    ["the last result missing", setBatch({ $pop: { outcomes: 1 } }), ["batch_result plain 3", "batch_result"]],
    [
      "all results missing",
      setBatch({ $unset: { outcomes: "" } }),
      ["batch_result plain 0", "batch_result only-batch 2", "batch_result plain 3", "batch_result"],
    ],
    ["the record deleted", deleteBatch, ["batch_missing only-batch 1"]],
    [
      "a batch's entry deleted",
      deleteEntry(1, "only-batch"),
      ["entries_missing only-batch", "batch_result only-batch 2"],
    ],
  ])("%s", async (_, damage, expected) => {
    await expectFound(damage, expected);
  });
});

test("reconcile and doctor name entries of a member under one key, which no index prevents once it is dropped", async () => {
  const { clanId } = await livedInClan();
  const keysCheck = async () =>
    (await cli.json("doctor")).answer.checks.find(({ name }: any) => name === "keys of ledger");
  expect(await keysCheck()).toMatchObject({ status: "ok" });
  const unique = "_id.clanId_1__id.platformId_1_key_1";
  await collection("ledger").dropIndex(unique);
  expect([await differencesOf(clanId), (await keysCheck()).status]).toStrictEqual([[], "ok"]);

  const { key } = await collection("ledger").findOne(entry(clanId, 2));
  const own = (await collection("ledger").findOne(entry(clanId, 3))).key;
  await collection("ledger").updateOne(entry(clanId, 3), { $set: { key } });
  expect(await differencesOf(clanId)).toStrictEqual([
    { kind: "key_twice", clanId, platformId: "plain", seq: 3, detail: "entries 2, 3 have the same key" },
  ]);
  expect(await keysCheck()).toMatchObject({
    status: "fail",
    detail: `one key for several entries of ${clanId}/plain (entries 2, 3)`,
  });

  await collection("ledger").updateOne(entry(clanId, 3), { $set: { key: own } });
  await collection("ledger").createIndex({ "_id.clanId": 1, "_id.platformId": 1, key: 1 }, { unique: true }, {});
  expect([await differencesOf(clanId), (await keysCheck()).status]).toStrictEqual([[], "ok"]);
});
