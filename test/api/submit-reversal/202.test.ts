import { describe, expect, test } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { makeReconcileStore } from "#operations/store/reconcile-store.ts";
import { makeReconcile } from "#operations/reconcile.ts";
import { expectResponse, isReplayed } from "../../support/responses.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { reversalsOf, type ReversalCaller } from "../../support/reversals.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });

const BEFORE = "2020-01-01T00:00:00Z";
const NOTHING = { awards: 0, members: 0, amount: "0" };
const counts = (selected: number, reversed: number, skipped: number) => ({ selected, reversed, skipped });
const SCOPES = ["award", "deduct", "read", "reverse"] as const;

async function makeReversing(changes = {}): Promise<{ clan: ClanCaller; reversals: ReversalCaller; keyId: string }> {
  const clan = await makeClanCaller(world, port, changes, SCOPES);
  const [key] = await world.keys.listOfClan(clan.clanId);
  return { clan, reversals: reversalsOf(clan), keyId: key?.keyId ?? "" };
}

describe("a reversal", () => {
  test("reverses one award, and both ledger entries name each other, the reason and the key", async () => {
    const { clan, reversals, keyId } = await makeReversing();
    const { awardId } = (await clan.awardChange("m", { amount: 150, reason: "won" })).body.change;
    await clan.award("m", { amount: 7 });
    const by = { platformId: "m", awardId };
    expect(await reversals.preview(by)).toStrictEqual({ awards: 1, members: 1, amount: "150" });
    expect(await reversals.reverseNow(by, "cheated")).toStrictEqual(counts(1, 1, 0));

    const [reversal, other, award] = await clan.entriesOf("m");
    const common = {
      awardId: expect.stringMatching(/^awd_/),
      at: expect.any(String),
      keyId,
      limitedBy: null,
      rank: "Recruit",
    };
    const ofAward = { amount: "150", applied: "150", xp: "150", reason: "won", membershipCreated: true };
    const ofReversal = { amount: "-150", applied: "-150", xp: "7", reason: "cheated", membershipCreated: false };
    expect([reversal, other, award]).toStrictEqual([
      { ...common, ...ofReversal, kind: "reversal", reverses: awardId },
      { ...common, amount: "7", applied: "7", xp: "157", membershipCreated: false },
      { ...common, ...ofAward, reversedBy: reversal.awardId },
    ]);
    expect(expectResponse("read-member", await clan.get("/members/m"))).toMatchObject({
      xp: "7",
      membership: { since: award.at },
    });
  });

  test("reverses everything that was applied of a batch, and nothing else", async () => {
    const { clan, reversals } = await makeReversing();
    const awards = [
      { platformId: "a", amount: 5 },
      { platformId: "b", amount: 6 },
      { platformId: "a", amount: 7 },
      { platformId: "/" },
    ];
    await clan.award("a", { amount: 100 });
    const accepted = await clan.submit(awards, { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    expect(await reversals.reverseNow({ batchId })).toStrictEqual(counts(3, 3, 0));
    expect([await clan.xpOf("a"), await clan.xpOf("b")]).toStrictEqual(["100", "0"]);
    // The batch stays what it was: its answer and its retry are the first ones.
    expect((await clan.get(`/batches/${batchId}`)).body).toMatchObject({ status: "done", applied: 3 });
  });

  test("reverses the awards of an API key since a time, from every endpoint, and of no other key", async () => {
    const { clan, reversals } = await makeReversing();
    const leaked = await world.makeKey(clan.clanId);
    const thief = clan.with(leaked.secret);
    await thief.post("/members/a/xp", { amount: 1 });
    await clan.award("a", { amount: 50 });
    const from = (await clan.entriesOf("a"))[0].at;
    await thief.post("/members/a/xp", { amount: 20 });
    await thief.post("/members/b/xp", { amount: 30 });
    await thief.post("/awards", {
      awards: [
        { platformId: "a", amount: 40 },
        { platformId: "c", amount: 9, idempotencyKey: "k" },
      ],
    });
    await thief.post("/xp", { awards: [{ platformId: "b", amount: 10 }] });
    const by = { keyId: leaked.keyId, from: new Date(Date.parse(from) + 1).toISOString() };

    const preview = await reversals.preview({ ...by, from });
    expect(preview.members).toBe(3);
    expect(await reversals.reverseNow({ ...by, from })).toMatchObject({ skipped: 0, reversed: preview.awards });
    expect([await clan.xpOf("b"), await clan.xpOf("c")]).toStrictEqual(["0", "0"]);
    expect(await reversals.preview({ keyId: leaked.keyId, from: BEFORE, to: from })).toMatchObject({
      members: expect.any(Number),
    });
    expect(await reversals.reverseNow({ keyId: leaked.keyId, from: BEFORE })).toMatchObject({
      reversed: 6 - preview.awards,
      skipped: preview.awards - 0,
    });
    expect(await clan.xpOf("a")).toBe("50");
  });

  test("reverses the awards of a match, or of one member within a time span", async () => {
    const { clan, reversals } = await makeReversing();
    const played = (matchId: string) => ({ amount: 10, source: { matchId } });
    for (const member of ["a", "b"]) for (const match of ["m1", "m2"]) await clan.award(member, played(match));
    expect(await reversals.preview({ matchId: "m1" })).toStrictEqual({ awards: 2, members: 2, amount: "20" });
    expect(await reversals.reverseNow({ matchId: "m1" })).toStrictEqual(counts(2, 2, 0));
    expect(await reversals.preview({ matchId: "m2", to: BEFORE })).toStrictEqual(NOTHING);

    expect(await reversals.reverseNow({ platformId: "a", from: BEFORE })).toStrictEqual(counts(2, 1, 1));
    expect([await clan.xpOf("a"), await clan.xpOf("b")]).toStrictEqual(["0", "10"]);
  });

  test("changes nothing if it matches no award of the clan", async () => {
    const { clan, reversals } = await makeReversing();
    const other = await makeReversing();
    const { awardId } = (await other.clan.awardChange("m", { amount: 5 })).body.change;
    const accepted = await other.clan.submit([{ platformId: "m", amount: 5 }], { prefer: "respond-async" });
    const { batchId } = expectResponse("submit-batch", accepted, 202);
    await clan.award("m", { amount: 5 });
    const strange = [
      { platformId: "m", awardId },
      { batchId },
      { keyId: other.keyId, from: BEFORE },
      { matchId: "x" },
      { batchId: "bat_x" },
    ];
    for (const by of strange) {
      expect(await reversals.preview(by)).toStrictEqual(NOTHING);
      expect(await reversals.reverseNow(by)).toStrictEqual(counts(0, 0, 0));
    }
    expect([await clan.xpOf("m"), await other.clan.xpOf("m")]).toStrictEqual(["5", expect.stringMatching(/5|10/)]);
  });
});

describe("an award is reversed once", () => {
  test("under any number of repeated and concurrent requests, and reversed awards are skipped", async () => {
    const { clan, reversals, keyId } = await makeReversing();
    for (let index = 0; index < 20; index += 1)
      await clan.award(`m${index % 4}`, { amount: 10, source: { matchId: "m" } });
    const all = [{ matchId: "m" }, { keyId, from: BEFORE }, { matchId: "m" }, { platformId: "m1", from: BEFORE }];
    const done = await Promise.all(all.map((by) => reversals.reverseNow(by)));
    expect(done.map(({ selected }) => selected)).toStrictEqual([20, 20, 20, 5]);
    expect(done.reduce((sum, { reversed }) => sum + reversed, 0)).toBe(20);
    for (let member = 0; member < 4; member += 1) {
      expect(await clan.xpOf(`m${member}`)).toBe("0");
      expect(await clan.entriesOf(`m${member}`)).toHaveLength(10);
    }
    expect(await reversals.preview({ matchId: "m" })).toStrictEqual(NOTHING);
  });

  test("but a reversal, a membership or an appointment cannot be reversed", async () => {
    const { clan, reversals, keyId } = await makeReversing();
    await world.members.join({ clanId: clan.clanId, platformId: "m" }, new Date(), "Officer");
    await clan.award("m", { amount: 10 });
    expect(await reversals.reverseNow({ platformId: "m", from: BEFORE })).toStrictEqual(counts(1, 1, 0));
    const entries = await clan.entriesOf("m");
    expect(entries.map(({ kind }) => kind)).toStrictEqual(["reversal", undefined, "appointment", "membership"]);
    const [{ awardId }] = entries;
    expect(await reversals.reverseNow({ platformId: "m", awardId })).toStrictEqual(counts(0, 0, 0));
    expect(await reversals.reverseNow({ keyId, from: BEFORE })).toStrictEqual(counts(1, 0, 1));
    expect(await clan.xpOf("m")).toBe("0");
  });

  test("and a retry with the Idempotency-Key returns the first reversal, while other input is rejected", async () => {
    const { clan, reversals } = await makeReversing();
    await clan.award("m", { amount: 10, source: { matchId: "m" } });
    const key = { "idempotency-key": "undo" };
    const submit = (body: object) => clan.post("/reversals", body, key);
    const [one, two] = await Promise.all([submit({ by: { matchId: "m" } }), submit({ by: { matchId: "m" } })]);
    const { reversalId } = expectResponse("submit-reversal", one, 202);
    expect(expectResponse("submit-reversal", two, 202).reversalId).toBe(reversalId);
    // Either may have been the first, and the other may be answered once the reversal is done.
    const [first, replay] = isReplayed(one) ? [two, one] : [one, two];
    expect([first, replay].map(isReplayed)).toStrictEqual([false, true]);
    expect(first.headers.get("location")).toBe(`/v0/clans/${clan.clanId}/reversals/${reversalId}`);
    await expect.poll(async () => (await reversals.read(reversalId)).status).toBe("done");
    const times = { createdAt: expect.any(String), finishedAt: expect.any(String) };
    const done = { reversalId, status: "done", by: { matchId: "m" }, reason: null, ...counts(1, 1, 0), ...times };
    expect(await reversals.read(reversalId)).toStrictEqual(done);
    const again = await submit({ by: { matchId: "m" } });
    expect(again.body).toStrictEqual({ reversalId, status: "done" });
    expect([first, again].map(({ headers }) => headers.get("retry-after"))).toStrictEqual(["1", null]);
    for (const body of [{ by: { matchId: "n" } }, { by: { matchId: "m" }, reason: "r" }]) {
      expect(await submit(body)).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    }
    // A preview neither binds a key nor minds one.
    expect((await submit({ by: { matchId: "n" }, dryRun: true })).status).toBe(200);
  });
});

describe("a reversal applies the XP rules of the clan", () => {
  test("by reversing the newest awards first, so that floor and cap do not affect awards within them", async () => {
    const { clan, reversals, keyId } = await makeReversing({ xpCap: 120n });
    await clan.award("m", { amount: 10 });
    const batch = await clan.submit([100, -90, 100, -20].map((amount) => ({ platformId: "m", amount })));
    expect(expectResponse("submit-batch", batch).applied).toBe(4);
    expect(await reversals.reverseNow({ keyId, from: BEFORE })).toStrictEqual(counts(5, 5, 0));
    expect((await clan.entriesOf("m")).map(({ applied }) => applied)).toStrictEqual(
      ["-10", "-100", "90", "-100", "20"].concat(["-20", "100", "-90", "100", "10"]),
    );
    expect(await clan.xpOf("m")).toBe("0");
  });

  test("by reversing the applied amount instead of the requested one, without a change of memberships", async () => {
    const { clan, reversals } = await makeReversing({ xpCap: 120n });
    await clan.award("m", { amount: 500 });
    await clan.award("spent", { amount: 90 });
    const { awardId } = (await clan.awardChange("spent", { amount: -60 })).body.change;
    await clan.award("spent", { amount: 60 });
    await reversals.reverseNow({ platformId: "m", from: BEFORE });
    await reversals.reverseNow({ platformId: "spent", awardId });
    expect((await clan.entriesOf("m"))[0]).toMatchObject({ amount: "-120", applied: "-120", rank: "Recruit" });
    expect((await clan.get("/members/m")).body.membership).not.toBeNull();
    expect((await clan.get("/members/spent")).body).toMatchObject({ xp: "120", membership: null });
  });
});

test("the ledger is consistent after all reversals", async () => {
  const { clan, reversals } = await makeReversing();
  await clan.award("m", { amount: 10 });
  await reversals.reverseNow({ platformId: "m", from: BEFORE });
  const { differences } = await makeReconcile({ store: makeReconcileStore(world.database), awardIdOf })({
    clanId: null,
  });
  expect(differences).toStrictEqual([]);
});
