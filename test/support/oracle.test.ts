// Tests the oracle: it must reject each forged history, for the reason that is given.
import { describe, expect, test } from "vitest";
import type { Entry } from "#domain/entry.ts";
import { makeEntry } from "./entry.ts";
import { batchDisagreements, disagreements, type SeenAnswer, type SentAward } from "./oracle.ts";

const acknowledged = (xp: string, replayed = false): SeenAnswer => ({ status: 200, xp, replayed, code: null });
const rejected = (status: number, code: string): SeenAnswer => ({ status, xp: null, replayed: false, code });
const broken: SeenAnswer = { status: 0, xp: null, replayed: false, code: null };
const unknown = rejected(503, "outcome_unknown");

function sent(answers: SeenAnswer[], changes: Partial<SentAward> = {}): SentAward {
  return { platformId: "p", key: "k", amount: 5, answers, ...changes };
}

const once = [makeEntry()];
const [notFound, lost] = [rejected(404, "member_not_found"), rejected(503, "unavailable")];
const since = new Date(0);
const begun = { membershipCreated: true, memberSince: since };
const made = makeEntry(begun);
const ended = makeEntry({ seq: 2, key: "=r", kind: "membership", amount: 0n, applied: 0n, removed: true });
/** A membership, its end, and one more award. */
const removal = (amount: bigint): SentAward[] => [
  sent([acknowledged("5")]),
  sent([acknowledged("5")], { key: "r", amount: 0 }),
  ...(amount === 0n ? [] : [sent([acknowledged("10")], { key: "l" })]),
];
const removed = (next: Partial<Entry>): Entry[] => [made, ended, makeEntry({ seq: 3, key: "=l", xp: 10n, ...next })];

describe("the oracle", () => {
  const truths: [string, SentAward[], Entry[]][] = [
    ["acknowledged once", [sent([acknowledged("5")])], once],
    ["unknown, then replayed", [sent([unknown, acknowledged("5", true)])], once],
    ["broken and never applied", [sent([broken])], []],
    ["broken and applied", [sent([broken, rejected(503, "busy")])], once],
    ["unknown and applied", [sent([rejected(503, "busy"), unknown])], once],
    ["unknown, then rejected temporarily, and applied", [sent([unknown, rejected(429, "rate_limited")])], once],
    ["applied to a removed member without restoring the membership", removal(5n), removed({ removed: true })],
    ["rejected and not applied", [sent([notFound])], []],
  ];
  test.each(truths)("accepts a history with an award that was %s", (_title, history, ledger) => {
    expect(disagreements(history, ledger)).toStrictEqual([]);
  });

  const falseHistories: [string, SentAward[], Entry[], RegExp][] = [
    ["acknowledged, then lost", [sent([acknowledged("5")])], [], /not applied/],
    ["applied twice", [sent([acknowledged("5")])], [makeEntry(), makeEntry({ seq: 2, xp: 10n })], /applied 2 times/],
    ["a response with the wrong XP", [sent([acknowledged("6")])], once, /answered xp 6/],
    [
      "two responses that both report it as applied",
      [sent([acknowledged("5"), acknowledged("5")])],
      once,
      /more than once/,
    ],
    ["rejected, but applied", [sent([notFound])], once, /refused \(member_not_found\), but applied/],
    ["reported as not applied, but applied", [sent([rejected(503, "busy"), lost])], once, /busy, unavailable/],
    [
      "unknown, then rejected, but applied",
      [sent([unknown, notFound])],
      once,
      /refused at last \(member_not_found\), but/,
    ],
    ["applied, but never sent", [], once, /nobody sent it/],
    ["another amount", [sent([acknowledged("5")], { amount: 6 })], once, /6 was asked for/],
    ["a gap in the seq", [sent([acknowledged("5")])], [makeEntry({ seq: 2 })], /has seq 2/],
    [
      "a membership created twice",
      [sent([acknowledged("5")]), sent([acknowledged("10")], { key: "l" })],
      [made, makeEntry({ seq: 2, key: "=l", xp: 10n, ...begun })],
      /a membership created twice/,
    ],
    ["a membership that an award restores after a removal", removal(5n), removed(begun), /taken back by itself/],
    ["a removal that the next entry ignores", removal(5n), removed({}), /forgets or invents a removal/],
    [
      "a removal before a membership",
      removal(0n),
      [made, { ...ended, memberSince: since }],
      /has the wrong membership/,
    ],
    [
      "rejected, then reported as a replay",
      [sent([lost, acknowledged("5", true)])],
      once,
      /refused, but applied, since .* 503 unavailable, 200 replayed/,
    ],
    ["a wrong sum", [sent([acknowledged("9")])], [makeEntry({ xp: 9n })], /the sum says 5/],
  ];
  test.each(falseHistories)("rejects a history with: %s", (_title, history, ledger, reason) => {
    expect(disagreements(history, ledger).join("\n")).toMatch(reason);
  });

  const accepted = (replayed = false): SeenAnswer => ({ status: 202, xp: null, replayed, code: null });
  const batch = { batchId: "bat_1", awards: [{ platformId: "p", amount: 5 }], answers: [accepted()] };
  const ofBatch = (changes: Partial<Entry> = {}): Entry => makeEntry({ key: "bat_1/0", batchId: "bat_1", ...changes });

  test("accepts a batch whose awards are stored once each", () => {
    expect(batchDisagreements([batch], [ofBatch(), makeEntry({ seq: 2, xp: 10n })])).toStrictEqual([]);
  });

  test("rejects a batch that was rejected and then reported as a replay", () => {
    const rejections = (answer: SeenAnswer) =>
      batchDisagreements([{ ...batch, answers: [answer, accepted(true)] }], [ofBatch()]);
    expect(rejections(lost).join("\n")).toMatch(/bat_1: refused, but accepted/);
    for (const open of [broken, unknown]) expect(rejections(open)).toStrictEqual([]);
  });

  const falseBatches: [string, Entry[], RegExp][] = [
    ["a batch that is done, but not applied", [], /bat_1\/0: not applied/],
    ["a batch applied twice", [ofBatch(), ofBatch({ seq: 2, key: "bat_1/1" })], /1 awards, 2 entries/],
    ["a batch with another amount", [ofBatch({ amount: 6n })], /not what was sent/],
    [
      "a batch that was not sent",
      [ofBatch(), ofBatch({ batchId: "bat_2", key: "bat_2/0" })],
      /bat_2: applied, but nobody/,
    ],
  ];
  test.each(falseBatches)("rejects %s", (_title, ledger, reason) => {
    expect(batchDisagreements([batch], ledger).join("\n")).toMatch(reason);
  });
});
