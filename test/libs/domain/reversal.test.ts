// What a reversal does to a member, beside what holds for every change (decide-awards.test.ts).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reversalKey, reversedAwardId } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import { decideAwards, type Decision } from "#domain/decide-awards.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import { smallClan } from "./small-clan.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const base = { clanId: "c", platformId: "p", apiKeyId: "k", fingerprint: "" };

function decide(
  head: Head,
  awards: readonly Award[],
  { rules = smallClan, known = [] }: { rules?: Clan; known?: readonly Entry[] } = {},
): Decision {
  return decideAwards({
    clan: rules,
    head,
    awards,
    known: new Map(known.map((entry) => [entry.key, entry])),
    now: NOW,
  });
}
function awardOf(amount: bigint, index: number): Award {
  return { ...base, key: `=${index}`, amount };
}
function reversalOf({ seq, key, applied }: Pick<Entry, "seq" | "key" | "applied">, fingerprint = "rev_1"): Award {
  return {
    ...base,
    kind: "reversal",
    reverses: { key, seq },
    key: reversalKey(`awd_${seq}`),
    fingerprint,
    amount: -applied,
  };
}
/** The first entry of the member, of so much XP. */
function firstEntry(applied: bigint): Entry {
  const [entry] = decide(NEW_HEAD, [awardOf(applied, 0)]).entries;
  if (!entry) throw new Error("no entry");
  return { ...entry, applied };
}

describe("a reversal", () => {
  test("of every award, newest first, restores the original XP for any floor and cap", () => {
    const amounts = fc.array(fc.bigInt({ min: -300n, max: 300n }), { maxLength: 20 });
    const rules = fc.record({ xpFloor: fc.constantFrom(0n, -100n, null), xpCap: fc.constantFrom(XP_MAX, 200n) });
    fc.assert(
      fc.property(amounts, rules, (given, bounds) => {
        const bounded = { ...smallClan, ...bounds };
        const applied = decide(NEW_HEAD, given.map(awardOf), { rules: bounded });
        const reversals = applied.entries.toReversed().map((entry) => reversalOf(entry));
        const { head, entries } = decide(applied.head, reversals, { rules: bounded, known: applied.entries });
        expect(entries).toHaveLength(given.length);
        expect(head.xp).toBe(given.length === 0 ? NEW_HEAD.xp : 0n);
        expect(head.membership).toStrictEqual(applied.head.membership);
      }),
    );
  });

  test("that exists is replayed for the same request, and conflicts with every other one", () => {
    const { head, entries: awards } = decide(NEW_HEAD, [awardOf(50n, 0)]);
    const [award] = awards;
    if (!award) throw new Error("no entry");
    const reversed = decide(head, [reversalOf(award)], { known: awards });
    const known = [...awards, ...reversed.entries];
    const again = decide(reversed.head, [reversalOf(award), reversalOf(award, "rev_2")], { known });
    expect(again.entries).toStrictEqual([]);
    expect(again.outcomes).toStrictEqual([
      { kind: "replayed", entry: reversed.entries[0] },
      { kind: "rejected", code: "idempotency_key_reused" },
    ]);
    expect(reversedAwardId(reversed.entries[0]?.key ?? "")).toBe("awd_1");
  });

  test("that restores XP creates no membership, even in an Auto Clan", () => {
    const removed: Head = { ...NEW_HEAD, xp: 90n, seq: 2 };
    const deduction = firstEntry(-60n);
    const { head, outcomes } = decide(removed, [reversalOf(deduction)], { known: [deduction] });
    expect(head).toMatchObject({ xp: 150n, membership: null });
    expect(outcomes[0]).toMatchObject({ kind: "applied", entry: { membershipCreated: false, rank: "Guest" } });
  });

  test("requires no membership, in any kind of clan", () => {
    const head: Head = { ...NEW_HEAD, xp: 90n, seq: 2 };
    const award = firstEntry(60n);
    const { outcomes } = decide(head, [reversalOf(award)], {
      rules: { ...smallClan, autoClan: false },
      known: [award],
    });
    expect(outcomes[0]).toMatchObject({ kind: "applied", entry: { xp: 30n } });
  });

  test("of an erased award restores nothing, and deducts nothing from later awards", () => {
    const erased = reversalOf({ key: "=erased", seq: 2, applied: 60n });
    const nothing = { entries: [], outcomes: [{ kind: "rejected", code: "member_not_found" }] };
    expect(decide(NEW_HEAD, [erased])).toMatchObject(nothing);
    const since = decide(NEW_HEAD, [awardOf(40n, 0), awardOf(50n, 1)]);
    expect(decide(since.head, [erased], { known: since.entries })).toMatchObject(nothing);
    // The caller's key is free again: the award that was sent under it since is another one.
    const again = decide(NEW_HEAD, [{ ...awardOf(70n, 0), key: "=erased" }]);
    expect(decide(again.head, [erased], { known: again.entries })).toMatchObject(nothing);
    // Awarded again under its key, as the same entry of the new chain, but the floor or the cap shortened it otherwise.
    const sameSeq = decide(NEW_HEAD, [awardOf(1n, 0), { ...awardOf(70n, 1), key: "=erased" }]);
    expect(decide(sameSeq.head, [erased], { known: sameSeq.entries })).toMatchObject(nothing);
  });
});
