// Which reversals lose their reason when a member is erased, and what becomes of one that runs meanwhile.
import { expect, test } from "vitest";
import type { ChangeKind } from "#domain/award.ts";
import type { Reset } from "#domain/reset.ts";
import { FIRST_MEMBER, type Reversal } from "#domain/reversal.ts";
import { docOfEntry, type EntryDoc } from "#ledger/store/entry-model.ts";
import { makeErasureStore } from "#erasure/store/erasure-store.ts";
import { makeRedactReversals } from "#erasure/store/redact-reversals.ts";
import { REVERSALS_PER_ERASURE } from "#mongo/bounds.ts";
import { docOfCorrection, type ReversalDoc } from "#reversals/store/reversal-model.ts";
import { makeResetStore } from "#resets/store/reset-store.ts";
import { makeReversalStore } from "#reversals/store/reversal-store.ts";
import type { Erasure } from "#erasure/ports.ts";
import { acceptedReversal } from "../../../support/accepted.ts";
import { testActor } from "../../../support/actor.ts";
import { makeEntry } from "../../../support/entry.ts";
import { useWorld } from "../../../support/use-api.ts";

const world = await useWorld();
const reversals = makeReversalStore(world.database, 1);

/** One of a match, recorded. */
async function accepted(reversalId: string, clanId: string, reason: string): Promise<Reversal> {
  const reversal = acceptedReversal({ reversalId, clanId, reason });
  await reversals.insert(reversal, null);
  return reversal;
}
async function begin(clanId: string | null, platformId: string): Promise<Erasure> {
  const erasure = { erasureId: `era_${clanId}_${platformId}`, clanId, platformId };
  await makeErasureStore(world.database).begin(erasure, testActor);
  return erasure;
}

test("a running reversal continues without its reason from the next step on, and the erasure waits until then", async () => {
  const redaction = makeRedactReversals(world.database);
  await accepted("rev_runs", "running", "gone cheated");
  const running = await reversals.start("rev_runs", new Date());
  const erasure = await begin("running", "gone");
  expect(await redaction.hasRunning(erasure)).toBe(false);
  expect(await redaction.redact(erasure)).toBe(1);
  expect(await redaction.hasRunning(erasure)).toBe(true);

  const step = { selected: 1, reversed: 1, skipped: 0, amount: 0n, next: 5 };
  const next = await reversals.advance(running as Reversal, step);
  expect(next).toMatchObject({ added: true, correction: { state: "running", reason: null, reversed: 1 } });
  expect(await redaction.hasRunning(erasure)).toBe(false);
});

test("an erasure removes every reason of the erased clans that contains the platform ID as a word", async () => {
  const [naming, other] = [
    ["a.b|c", "by a.b|c, twice", "(a.b|c)", "x-a.b|c."],
    ["axb|c", "1a.b|c", "a.b|cd", "A.B|C", "c"],
  ];
  const texts = [...naming, ...other];
  const ledger = world.database.db().collection<EntryDoc>("ledger");
  const wrote = (clanId: string, seq: number, reason: string, kind: ChangeKind = "reversal") =>
    ledger.insertOne(docOfEntry(makeEntry({ clanId, platformId: "other", seq, key: `rev/${seq}`, kind, reason })));
  for (const [index, reason] of texts.entries()) {
    await accepted(`rev_${index}`, "words", reason);
    await wrote("words", index, reason);
  }
  await wrote("words", texts.length, "a.b|c", "membership");
  await accepted("rev_elsewhere", "elsewhere", "a.b|c");
  await wrote("elsewhere", 1, "a.b|c");
  await wrote("elsewhere", 2, "a.b|c", "reset");
  const ofRecords = () =>
    Promise.all(texts.map(async (_, index) => (await reversals.read(`rev_${index}`))?.reason ?? null));
  const ofEntries = async (clanId: string) =>
    (await ledger.find({ "_id.clanId": clanId }).sort({ _id: 1 }).toArray()).map(({ reason = null }) => reason);

  const redaction = makeRedactReversals(world.database);
  expect(await redaction.redact(await begin("words", "a.b|c"))).toBe(2 * naming.length);
  const left = [...naming.map(() => null), ...other];
  expect([await ofRecords(), await ofEntries("words")]).toStrictEqual([left, [...left, "a.b|c"]]);
  expect((await reversals.read("rev_elsewhere"))?.reason).toBe("a.b|c");
  expect(await redaction.redact(await begin(null, "a.b|c"))).toBe(3);
  expect((await reversals.read("rev_elsewhere"))?.reason).toBeNull();
  expect(await ofEntries("elsewhere")).toStrictEqual([null, null]);
});

test("an erasure finds all reversals of a member, more than one transaction changes", async () => {
  const first = await accepted("rev_many", "many", "gone");
  const docs = Array.from({ length: REVERSALS_PER_ERASURE }, (_, index) => ({
    ...first,
    reversalId: `rev_m${index}`,
    state: "done" as const,
  }));
  const stored = world.database.db().collection<ReversalDoc>("reversals");
  await stored.insertMany(docs.map(docOfCorrection));
  const redaction = makeRedactReversals(world.database);
  expect(await redaction.redact(await begin("many", "gone"))).toBe(REVERSALS_PER_ERASURE + 1);
  expect(await stored.countDocuments({ clanId: "many", reason: { $ne: null } })).toBe(0);
});

test("a reset that stands at the member begins anew, without the platform ID in its record", async () => {
  const now = new Date();
  const resets = makeResetStore(world.database, 1);
  const reset: Reset = {
    ...(await accepted("rev_other", "stands", "none")),
    reversalId: "rst_stands",
    selection: { kind: "xp", clanId: "stands", resetId: "rst_stands", at: now, keepPercent: 0 },
    position: FIRST_MEMBER,
  };
  const { by: _by, ...record } = { by: null, ...reset };
  await resets.insert(record, testActor, { max: 1 });
  const started = await reversals.start("rst_stands", now);
  const step = { selected: 2, reversed: 2, skipped: 0, amount: 7n, next: "gone" };
  const { correction } = await reversals.advance(started as Reset, step);
  const redaction = makeRedactReversals(world.database);
  await redaction.redact(await begin("stands", "other"));
  expect(await reversals.readRun("rst_stands")).toMatchObject({ position: "gone", reversed: 2, amount: 7n });
  await redaction.redact(await begin("stands", "gone"));
  const anew = { state: "running", position: FIRST_MEMBER, selected: 0, reversed: 0, skipped: 0, amount: 0n };
  expect(await reversals.readRun("rst_stands")).toMatchObject(anew);
  // The step in progress is not counted.
  expect(await reversals.advance(correction as Reset, { ...step, next: null })).toMatchObject({ added: false });
});
