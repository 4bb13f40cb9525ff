// Boosts and the cap per day against their oracle (test/support/gains-oracle.ts), over rules that change.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Award } from "#domain/award.ts";
import { boostsAhead, factorOf, percentOf, windowFault, type Boost } from "#domain/boost.ts";
import type { Clan } from "#domain/clan.ts";
import { decideAwards } from "#domain/decide-awards.ts";
import { isByPerson } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import { headAfter, NEW_HEAD, type Head } from "#domain/head.ts";
import { gainDisagreements } from "../../support/gains-oracle.ts";
import { smallClan } from "./small-clan.ts";

const DAY_MS = 86_400_000;
const MIDNIGHT_MS = Date.parse("2026-11-21T00:00:00Z");

type Does = { amount: bigint; placeId: string | null; by: "key" | "batch" | "person"; reverses: number | null };
/** `lateMs`: the clock of the process that decides is so far behind. */
type Step = Does & { passesMs: number; lateMs: number; isCut: boolean };
type Era = { boosts: Boost[]; xpPerDay: bigint | null; xpCap: bigint; steps: Step[] };
type Case = { clan: Clan; at: Date; does: Does; isCut: boolean };

/** Runs the cases through decideAwards, several at a time, and on heads as they are read from entries. */
function run(cases: readonly Case[]): { ledger: Entry[]; rules: Clan[] } {
  let head: Head = NEW_HEAD;
  const ledger: Entry[] = [];
  const rules: Clan[] = [];
  const reversed = new Set<number>();
  let group: { award: Award; clan: Clan; at: Date }[] = [];
  const decide = (): void => {
    const [first] = group;
    if (!first) return;
    const known = new Map(ledger.map((entry) => [entry.key, entry]));
    const awards = group.map(({ award }) => award);
    const { entries } = decideAwards({ clan: first.clan, head, awards, known, now: first.at });
    const last = entries.at(-1);
    head = (last && headAfter(last)) ?? head;
    ledger.push(...entries);
    rules.push(...entries.map(() => first.clan));
    group = [];
  };
  for (const { clan, at, does, isCut } of cases) {
    const [first] = group;
    const isReversal = does.reverses !== null;
    if (first && (isCut || isReversal || first.clan !== clan || first.at.getTime() !== at.getTime())) decide();
    const target = ledger[does.reverses ?? -1] ?? null;
    const isReversible = target && !isByPerson(target) && !reversed.has(target.seq);
    if (isReversal && !isReversible) continue;
    if (target) reversed.add(target.seq);
    group.push({ award: awardOf(does, ledger.length + group.length, target), clan, at });
  }
  decide();
  return { ledger, rules };
}

function awardOf({ amount, placeId, by }: Does, number: number, reversed: Entry | null): Award {
  const award: Award = { clanId: "c", platformId: "p", key: `=${number}`, fingerprint: "f", amount, apiKeyId: "k" };
  if (placeId !== null) award.source = { placeId };
  if (by === "batch") award.batchId = "bat_1";
  if (by === "person") award.actor = "somebody";
  if (!reversed) return award;
  const reverses = { key: reversed.key, seq: reversed.seq };
  return { ...award, kind: "reversal", reverses, amount: -reversed.applied };
}

const boost: fc.Arbitrary<Boost> = fc
  .record({
    name: fc.constantFrom("A", "B", "C"),
    percent: fc.oneof(fc.constantFrom(150, 200), fc.integer({ min: 101, max: 1_000 })),
    fromMs: fc.integer({ min: 0, max: 6 }).map((half) => MIDNIGHT_MS + (half * DAY_MS) / 2),
    lastsMs: fc.integer({ min: 1, max: 4 }).map((half) => (half * DAY_MS) / 2),
    ranks: fc.constantFrom<string[]>([], [], ["Recruit"], ["Guest", "Chief"]),
    placeIds: fc.constantFrom<string[]>([], [], ["1818"], ["1818", "7"]),
  })
  .map(({ fromMs, lastsMs, ...facts }) => ({
    ...facts,
    boostId: facts.name,
    from: new Date(fromMs),
    to: new Date(fromMs + lastsMs),
  }));

const step: fc.Arbitrary<Step> = fc.record({
  amount: fc.oneof(fc.bigInt({ min: 1n, max: 60n }), fc.bigInt({ min: -40n, max: 0n })),
  placeId: fc.constantFrom(null, "1818", "7"),
  by: fc.constantFrom("key", "key", "key", "batch", "person"),
  reverses: fc.option(fc.nat({ max: 15 }), { freq: 4 }),
  // To the next half of a day at times, so that midnight and the ends of boosts are met to the millisecond.
  passesMs: fc.constantFrom(0, 0, 1, DAY_MS / 2 - 1, DAY_MS / 2),
  lateMs: fc.constantFrom(0, 0, 0, 1, 2_000),
  isCut: fc.boolean(),
});

const era: fc.Arbitrary<Era> = fc.record({
  // Two of one id and percent would be alike to the oracle.
  boosts: fc.uniqueArray(boost, { maxLength: 3, selector: ({ name, percent }) => name + String(percent) }),
  xpPerDay: fc.oneof(fc.constant(null), fc.bigInt({ min: 1n, max: 150n })),
  xpCap: fc.constantFrom(120n, 100_000n),
  steps: fc.array(step, { maxLength: 10 }),
});

const history: fc.Arbitrary<Case[]> = fc.array(era, { maxLength: 5 }).map((eras) => {
  let atMs = MIDNIGHT_MS;
  let since = 0;
  return eras.flatMap(({ boosts, xpPerDay, xpCap, steps }, index) => {
    // A cap that is changed keeps its count; one that is set where none was begins anew.
    const hadCap = index > 0 && eras[index - 1]?.xpPerDay !== null;
    if (!hadCap) since = index + 1;
    const clan: Clan = {
      ...smallClan,
      xpCap,
      ...(boosts.length > 0 ? { boosts } : {}),
      ...(xpPerDay === null ? {} : { dailyCap: { xp: xpPerDay, since } }),
    };
    return steps.map(({ passesMs, lateMs, isCut, ...does }) => {
      atMs += passesMs;
      return { clan, at: new Date(atMs - lateMs), does, isCut };
    });
  });
});

describe("boosts and the cap per day", () => {
  test("raise and limit awards as the oracle says, in every history and however it is divided into commit groups", () => {
    fc.assert(
      fc.property(history, (cases) => {
        const { ledger, rules } = run(cases);
        expect(gainDisagreements(ledger, ({ seq }) => rules[seq - 1] ?? smallClan)).toStrictEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  test("cost a clan that has neither nothing: its entries and heads have no further field", () => {
    const award = awardOf({ amount: 5n, placeId: null, by: "key", reverses: null }, 1, null);
    const { head, entries } = decideAwards({
      clan: smallClan,
      head: NEW_HEAD,
      awards: [award],
      known: new Map(),
      now: new Date(MIDNIGHT_MS),
    });
    for (const name of ["boost", "limitedByDay", "gains"]) {
      expect(head).not.toHaveProperty(name);
      expect(entries[0]).not.toHaveProperty(name);
    }
  });

  test("count a day anew after a clock that was days ahead was set right", () => {
    const clan: Clan = { ...smallClan, dailyCap: { xp: 10n, since: 1 } };
    const give: Does = { amount: 8n, placeId: null, by: "key", reverses: null };
    const applied = run(
      [5 * DAY_MS, 0, 1].map((ms) => ({ clan, at: new Date(MIDNIGHT_MS + ms), does: give, isCut: true })),
    ).ledger.map((entry) => entry.applied);
    expect(applied).toStrictEqual([8n, 8n, 2n]);
  });
});

describe("a boost", () => {
  test("has a factor of 1.01 to 10 with at most two decimals", () => {
    const factors = ["1.01", "1.1", "2", "2.0", "2.50", "10", "10.00", "01.5"];
    expect(factors.map(percentOf)).toStrictEqual([101, 110, 200, 200, 250, 1_000, 1_000, 150]);
    const others = ["1", "1.00", "0.5", "10.01", "11", "2.555", "1e1", "-2", "+2", "", " 2", "2x", "2.", ".5", "1,5"];
    expect(others.map(percentOf)).toStrictEqual(others.map(() => null));
    expect([101, 110, 200, 250, 1_000].map(factorOf)).toStrictEqual(["1.01", "1.1", "2", "2.5", "10"]);
  });

  test("lasts at most 90 days, ends after it begins, and does not end in the past", () => {
    const now = new Date(MIDNIGHT_MS);
    const fault = (fromMs: number, toMs: number): string | null =>
      windowFault({ from: new Date(MIDNIGHT_MS + fromMs), to: new Date(MIDNIGHT_MS + toMs) }, now);
    expect(fault(0, 90 * DAY_MS)).toBeNull();
    expect(fault(-DAY_MS, 1)).toBeNull();
    expect(fault(0, 90 * DAY_MS + 1)).toMatch("at most 90 days");
    expect(fault(5, 5)).toMatch("end after it begins");
    expect(fault(-DAY_MS, 0)).toMatch("in the future");
  });

  test("is listed while it runs or is coming, in the order of the beginnings", () => {
    const now = new Date(MIDNIGHT_MS);
    const [at, before, after] = [0, -DAY_MS, DAY_MS].map((ms) => new Date(MIDNIGHT_MS + ms)) as [Date, Date, Date];
    const one = (boostId: string, from: Date, to: Date): Boost => {
      return { boostId, name: boostId, percent: 200, from, to, ranks: [], placeIds: [] };
    };
    const boosts = [
      one("coming", after, new Date(after.getTime() + 1)),
      one("over", before, at),
      one("now", at, after),
    ];
    expect(boostsAhead(boosts, now).map(({ boostId }) => boostId)).toStrictEqual(["now", "coming"]);
  });
});
