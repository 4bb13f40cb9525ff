// The oracle of corrections itself: forged ledgers that it must reject, each in the one way that it names.
import { describe, expect, test } from "vitest";
import { awardIdOf } from "#contract/award-id.ts";
import { CANCELLATION, reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/entry.ts";
import { membershipDisagreements, reversalDisagreements, type SentReversal } from "./corrections-oracle.ts";
import { makeEntry } from "./entry.ts";

const award = makeEntry();
/** The entry that reverses the member's first one, as the second. */
const reversalOf = (changes: Partial<Entry> = {}): Entry =>
  makeEntry({
    kind: "reversal",
    key: reversalKey(awardIdOf(award)),
    fingerprint: "rev_1",
    seq: 2,
    amount: -5n,
    applied: -5n,
    xp: 0n,
    ...changes,
  });
const counted = (selected: number, reversed: number, skipped: number) => ({ selected, reversed, skipped });
const sent = (changes: Partial<SentReversal> = {}): SentReversal => ({
  reversalId: "rev_1",
  counts: counted(1, 1, 0),
  awards: [{ platformId: "p", key: "=k" }],
  ...changes,
});

describe("the oracle of reversals", () => {
  const truths: [string, SentReversal[], Entry[]][] = [
    ["an award that is reversed", [sent()], [award, reversalOf()]],
    ["nothing to reverse", [sent({ awards: [], counts: counted(0, 0, 0) })], [award]],
    [
      "reversed by one, skipped by another",
      [sent(), sent({ reversalId: "rev_2", counts: counted(1, 0, 1) })],
      [award, reversalOf()],
    ],
    ["more selected than is known", [sent({ awards: [], selectsMore: true })], [award, reversalOf()]],
    ["shortened by the floor", [sent()], [award, spent(-3n), reversalOf({ seq: 3, applied: -2n })]],
    ["unknown counts", [sent({ counts: null })], [award, reversalOf()]],
  ];
  test.each(truths)("accepts a history of reversals: %s", (_title, history, ledger) => {
    expect(reversalDisagreements(history, ledger)).toStrictEqual([]);
  });

  const counts = (...numbers: [number, number, number]) => [sent({ counts: counted(...numbers) })];
  const falseRequests: [string, SentReversal[], Entry[], RegExp][] = [
    ["done, but not reversed", [sent()], [award], /rev_1: p =k is not reversed/],
    ["done, but not counted", counts(1, 0, 1), [award, reversalOf()], /0 reversed, .* 1 entries/],
    ["counted twice", counts(2, 2, 0), [award, reversalOf()], /1 awards, 2 selected/],
    ["counts that do not add up", counts(1, 1, 1), [award, reversalOf()], /do not add up/],
    ["an entry without a request", [], [award, reversalOf()], /rev_1: awards reversed, but nobody asked for it/],
  ];
  const again = reversalOf({ seq: 3, amount: -5n, applied: 0n });
  const cancelled = { ...award, batchId: "bat_1", fingerprint: CANCELLATION };
  const falseLedgers: [string, Entry[], RegExp][] = [
    ["reversed twice", [award, reversalOf(), again], /entry 3 reverses an award that was/],
    [
      "another amount",
      [award, reversalOf({ amount: -4n, applied: -4n, xp: 1n })],
      /takes back 4 XP where 5 were applied/,
    ],
    ["below the floor", [award, spent(-3n), reversalOf({ seq: 3, xp: -3n })], /below the floor/],
    [
      "an amount reduced without a reason",
      [award, reversalOf({ applied: -2n, xp: 3n })],
      /shortened without floor or cap/,
    ],
    ["a reversal of no award", [award, reversalOf({ key: reversalKey("awd_x") })], /reverses no award before it/],
    ["a later award", [reversalOf({ seq: 1 }), { ...award, seq: 2 }], /reverses no award before it/],
    [
      "another member's award",
      [award, reversalOf({ platformId: "q", seq: 1 })],
      /q: entry 1 reverses no award before it/,
    ],
    ["another reversal", [{ ...award, kind: "reversal" }, reversalOf()], /entry 2 reverses no award before it/],
    ["a cancelled award", [cancelled, reversalOf()], /entry 2 reverses no award/],
    ["a reversal that creates a membership", [award, reversalOf({ membershipCreated: true })], /creates a membership/],
  ];
  const falseHistories = falseLedgers.map(([what, ledger, reason]) => [what, [sent()], ledger, reason] as const);
  test.each([...falseRequests, ...falseHistories])(
    "rejects a history of reversals: %s",
    (_title, history, ledger, reason) => {
      expect(reversalDisagreements(history, ledger).join("\n")).toMatch(reason);
    },
  );
});

test("the oracle of memberships accepts the state of the newest entry and rejects any other", () => {
  const member = makeEntry({ memberSince: new Date(0) });
  const removed = makeEntry({ seq: 2, kind: "membership", removed: true });
  const faultsOf = (isMember: boolean, entries: Entry[]) =>
    membershipDisagreements([{ platformId: "p", isMember }], entries);
  expect(faultsOf(true, [member])).toStrictEqual([]);
  expect(faultsOf(false, [removed, member])).toStrictEqual([]);
  expect(faultsOf(false, [member])).toStrictEqual(["p: removed, but a member"]);
  expect(faultsOf(true, [])).toStrictEqual(["p: added, but no member"]);
});

function spent(applied: bigint): Entry {
  return makeEntry({ key: "=s", seq: 2, amount: applied, applied, xp: 5n + applied });
}
