// reconcile finds each kind of damage to the ledger, and only what is damaged.
import { describe, expect, test } from "vitest";
import { ERASED } from "#domain/erased.ts";
import { memberDoc, useReconcile } from "./use-reconcile.ts";

const { cli, collection, livedInClan, differencesOf } = await useReconcile();

type Damage = (clanId: string, batchId: string) => Promise<unknown>;
const member = (clanId: string, platformId = "plain") => ({ _id: `${clanId}/${platformId}` });
const entry = (clanId: string, seq: number, platformId = "plain") => ({ _id: { clanId, platformId, seq } });

async function expectFound(damage: Damage, expected: readonly object[]): Promise<void> {
  const { clanId, batchId } = await livedInClan();
  expect(await differencesOf(clanId)).toEqual([]);
  await damage(clanId, batchId);
  expect(await differencesOf(clanId)).toEqual(
    expected.map((difference) => expect.objectContaining({ clanId, detail: expect.any(String), ...difference })),
  );
}

const setMember =
  (platformId: string, update: object): Damage =>
  (clanId) =>
    collection("members").updateOne(member(clanId, platformId), update);
const forgeMember =
  (platformId: string): Damage =>
  (clanId) =>
    collection("members").insertOne(memberDoc(clanId, platformId));
const setEntry =
  (seq: number, update: object, platformId?: string): Damage =>
  (clanId) =>
    collection("ledger").updateOne(entry(clanId, seq, platformId), update);
const deleteEntry =
  (seq: number, platformId?: string): Damage =>
  (clanId) =>
    collection("ledger").deleteOne(entry(clanId, seq, platformId));
const setBatch =
  (update: object): Damage =>
  (_, batchId) =>
    collection("batches").updateOne({ _id: batchId }, update);

describe("reconcile detects damage to a member:", () => {
  test.each<[string, Damage, object[]]>([
    ["XP changed", setMember("plain", { $inc: { xp: 1 } }), [{ kind: "xp_not_sum", platformId: "plain" }]],
    ["XP stored as another number type", setMember("plain", { $set: { xp: 7 } }), [{ kind: "xp_not_sum" }]],
    ["XP that is no number", setMember("plain", { $set: { xp: "104" } }), [{ kind: "xp_not_sum" }]],
    ["XP without any entry", forgeMember("forged"), [{ kind: "entries_missing", platformId: "forged" }]],
    ["the only entry deleted", deleteEntry(1, "capped"), [{ kind: "entries_missing", platformId: "capped" }]],
    ["the first entry deleted", deleteEntry(1), [{ kind: "seq_broken", seq: 2 }, { kind: "xp_not_sum" }]],
    ["an entry in the middle deleted", deleteEntry(2), [{ kind: "seq_broken", seq: 3 }, { kind: "xp_not_sum" }]],
    [
      "an entry's applied changed",
      setEntry(3, { $set: { applied: 0n } }),
      [{ kind: "running_xp", seq: 3 }, { kind: "xp_not_sum" }],
    ],
    ["an entry's XP changed", setEntry(3, { $inc: { xp: 5 } }), [{ kind: "running_xp", seq: 3 }]],
    [
      "an entry's number that is no integer",
      setEntry(1, { $set: { applied: 0.5 } }, "idle"),
      [{ kind: "running_xp", seq: 1 }],
    ],
    [
      "the head's seq changed",
      setMember("capped", { $inc: { seq: 1 } }),
      [{ kind: "seq_broken", platformId: "capped" }],
    ],
    [
      "the member deleted",
      (clanId) => collection("members").deleteOne(member(clanId, "capped")),
      [{ kind: "member_missing" }],
    ],
    [
      "a membership removed",
      setMember("plain", { $set: { membership: null } }),
      [{ kind: "membership_missing", platformId: "plain" }],
    ],
    [
      "an ended membership restored",
      setMember("left", { $set: { membership: { since: new Date() } } }),
      [{ kind: "membership_left" }],
    ],
    [
      "a membership created twice",
      setEntry(3, { $set: { membershipCreated: true } }),
      [{ kind: "membership_twice", platformId: "plain" }],
    ],
    [
      "a member filed under another clan",
      setMember("idle", { $set: { clanId: "other" } }),
      [{ kind: "member_misfiled", platformId: "idle" }],
    ],
  ])("%s", async (_, damage, expected) => {
    await expectFound(damage, expected);
  });
});

describe("reconcile detects damage to a batch:", () => {
  const gone = { index: 0, kind: "batch_result", platformId: "plain" };
  test.each<[string, Damage, object[]]>([
    ["the XP of a result changed", setBatch({ $set: { "outcomes.0.xp": 1_000_000n } }), [gone]],
    ["the rank of a result changed", setBatch({ $set: { "outcomes.3.rank": "Elite" } }), [{ ...gone, index: 3 }]],
    [
      "a result of another member",
      setBatch({ $set: { "outcomes.2.platformId": "plain" } }),
      [{ kind: "batch_result", index: 2, platformId: "only-batch" }],
    ],
    [
      "an applied award reported as rejected",
      setBatch({ $set: { "outcomes.2": { platformId: "only-batch", code: "invalid_request", detail: "forged" } } }),
      [{ kind: "batch_result", index: 2 }],
    ],
    [
      "a rejected award reported as applied",
      setBatch({ $set: { "outcomes.1": { platformId: "no amount", xp: 5n, rank: "Guest" } } }),
      [{ kind: "batch_result", index: 1 }],
    ],
    [
      "an entry that reappeared after an erasure",
      setBatch({ $set: { "outcomes.2": { platformId: ERASED, code: "cancelled", detail: "erased" } } }),
      [{ kind: "batch_result", index: 2, platformId: "only-batch" }],
    ],
    ["the last result missing", setBatch({ $pop: { outcomes: 1 } }), [{ ...gone, index: 3 }, { kind: "batch_result" }]],
    [
      "all results missing",
      setBatch({ $unset: { outcomes: "" } }),
      [
        { kind: "batch_result", index: 0 },
        { kind: "batch_result", index: 2 },
        { kind: "batch_result", index: 3 },
        { kind: "batch_result" },
      ],
    ],
    [
      "the record deleted",
      (_, batchId) => collection("batches").deleteOne({ _id: batchId }),
      [{ kind: "batch_missing" }],
    ],
    [
      "a batch's entry deleted",
      deleteEntry(1, "only-batch"),
      [
        { kind: "entries_missing", platformId: "only-batch" },
        { kind: "batch_result", index: 2, platformId: "only-batch" },
      ],
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
