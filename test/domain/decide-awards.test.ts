// The heart against a model: the rules of docs/concepts/ranks-and-auto-clans.md written down a second time, one award at
// a time, as plainly as possible.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Award, Entry, Outcome } from "#domain/award.ts";
import { XP_MAX, XP_MIN } from "#domain/bounds.ts";
import type { Clan, Rank } from "#domain/clan.ts";
import { decideAwards } from "#domain/decide-awards.ts";
import { NEW_HEAD, type Head } from "#domain/member.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

type Step = { award: Award; clan: Clan };

/** What the model keeps of a member, and what it answers. */
type Model = { xp: bigint; isMember: boolean; answers: Map<string, { fingerprint: string; answer: string }>; applied: bigint[] };

function modelRank(clan: Clan, xp: bigint, isMember: boolean): string {
  const normals = clan.ranks.filter((rank) => rank.kind === "NORMAL");
  if (!isMember || normals.length === 0) return clan.ranks.find((rank) => rank.kind === "GUEST")?.name ?? "?";
  let name = normals[0]?.name ?? "?";
  for (const rank of normals) if (xp >= rank.threshold) name = rank.name;
  return name;
}

function modelStep(model: Model, { award, clan }: Step): string {
  const bound = model.answers.get(award.key);
  if (bound && bound.fingerprint === award.fingerprint) return `replayed ${bound.answer}`;
  if (!clan.autoClan && !model.isMember && award.batchId === undefined) return "member_not_found";
  if (bound) return "idempotency_key_reused";

  const floor = clan.xpFloor ?? XP_MIN;
  let next = model.xp + award.amount;
  // The clamp shortens an award and never turns it round.
  if (award.amount > 0n && next > clan.xpCap) next = model.xp > clan.xpCap ? model.xp : clan.xpCap;
  if (award.amount < 0n && next < floor) next = model.xp < floor ? model.xp : floor;
  const before = model.xp;
  model.xp = next;
  model.applied.push(next - before);

  const [first] = clan.ranks.filter((rank) => rank.kind === "NORMAL");
  const joins =
    clan.autoClan && !model.isMember && award.batchId === undefined && award.amount > 0n && first !== undefined && next >= first.threshold;
  if (joins) model.isMember = true;
  const answer = `${next} ${modelRank(clan, next, model.isMember)} ${joins}`;
  model.answers.set(award.key, { fingerprint: award.fingerprint, answer });
  return `applied ${answer}`;
}

function shown(outcome: Outcome): string {
  if (outcome.kind === "rejected") return outcome.code;
  return `${outcome.kind} ${outcome.entry.xp} ${outcome.entry.rank} ${outcome.entry.membershipCreated}`;
}

const thresholds = fc.uniqueArray(fc.oneof(fc.bigInt({ min: 0n, max: 500n }), fc.constant(XP_MAX)), { maxLength: 4 });
const clanRules: fc.Arbitrary<Clan> = fc
  .record({
    thresholds,
    autoClan: fc.boolean(),
    xpFloor: fc.option(fc.bigInt({ min: -200n, max: 100n }), { nil: null }),
    xpCap: fc.oneof(fc.constant(XP_MAX), fc.bigInt({ min: 100n, max: 900n })),
  })
  .map(({ thresholds: chosen, ...rules }) => {
    const normals = [...chosen]
      .sort((a, b) => (a < b ? -1 : 1))
      .map((threshold): Rank => ({ name: `N${threshold}`, kind: "NORMAL", threshold }));
    return { ...rules, clanId: "c", name: "C", amountMax: 1_000_000, ranks: [{ name: "Guest", kind: "GUEST" }, ...normals] };
  });

const award: fc.Arbitrary<Award> = fc
  .record({
    // Few keys and few payloads, so that replays and reused keys are common.
    key: fc.constantFrom("=a", "=b", "=c", "=d", "=e", "=f"),
    fingerprint: fc.constantFrom("p", "q"),
    amount: fc.oneof(fc.bigInt({ min: -300n, max: 300n }), fc.constantFrom(0n, XP_MAX, -XP_MAX)),
    batched: fc.boolean(),
  })
  .map(({ batched, ...rest }) => ({ ...rest, clanId: "c", platformId: "p", apiKeyId: "k", ...(batched ? { batchId: "bat_1" } : {}) }));

/** A history: rules that change now and then, awards under each of them. */
const history: fc.Arbitrary<Step[]> = fc
  .array(fc.record({ clan: clanRules, awards: fc.array(award, { maxLength: 12 }) }), { maxLength: 5 })
  .map((eras) => eras.flatMap(({ clan, awards }) => awards.map((one) => ({ award: one, clan }))));

/** Runs a history through decideAwards in flights cut at the given places; flights never span a change of rules. */
function run(steps: readonly Step[], isCut: (index: number) => boolean): { outcomes: Outcome[]; head: Head; ledger: Entry[] } {
  let head: Head = NEW_HEAD;
  const ledger: Entry[] = [];
  const outcomes: Outcome[] = [];
  let flight: Step[] = [];
  const land = (): void => {
    const [first] = flight;
    if (!first) return;
    const known = new Map(ledger.map((entry) => [entry.key, entry]));
    const decision = decideAwards({ clan: first.clan, head, awards: flight.map((step) => step.award), known, now: NOW });
    head = decision.head;
    ledger.push(...decision.entries);
    outcomes.push(...decision.outcomes);
    flight = [];
  };
  steps.forEach((step, index) => {
    if (flight[0] && (flight[0].clan !== step.clan || isCut(index))) land();
    flight.push(step);
  });
  land();
  return { outcomes, head, ledger };
}

describe("decideAwards", () => {
  test("answers every history as the model does, however it is cut into flights", () => {
    fc.assert(
      fc.property(history, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (steps, cuts) => {
        const model: Model = { xp: 0n, isMember: false, answers: new Map(), applied: [] };
        const expected = steps.map((step) => modelStep(model, step));
        const { outcomes, head } = run(steps, (index) => cuts[index % cuts.length] ?? false);
        expect(outcomes.map(shown)).toStrictEqual(expected);
        expect(head.xp).toBe(model.xp);
        expect(head.membership !== null).toBe(model.isMember);
      }),
      { numRuns: 2_000 },
    );
  });

  test("keeps the books: XP is the sum of what was applied, entries are numbered without a hole, one entry makes the membership", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const { head, ledger } = run(steps, () => false);
        let xp = 0n;
        ledger.forEach((entry, index) => {
          xp += entry.applied;
          expect(entry).toMatchObject({ seq: index + 1, xp });
        });
        expect(head).toMatchObject({ xp, seq: ledger.length });
        expect(ledger.filter((entry) => entry.membershipCreated)).toHaveLength(head.membership ? 1 : 0);
        expect(new Set(ledger.map((entry) => entry.key)).size).toBe(ledger.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test("an award is applied in its own direction and never past what was asked for", () => {
    fc.assert(
      fc.property(history, (steps) => {
        for (const { amount, applied } of run(steps, () => false).ledger) {
          if (amount >= 0n) expect(applied >= 0n && applied <= amount).toBe(true);
          else expect(applied <= 0n && applied >= amount).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("every number of an entry is one that Int64 holds, however far XP, thresholds and amounts go", () => {
    fc.assert(
      fc.property(history, (steps) => {
        for (const entry of run(steps, () => false).ledger) {
          const numbers = Object.values(entry).filter((value) => typeof value === "bigint");
          expect(numbers.length).toBeGreaterThanOrEqual(3);
          expect(numbers.filter((value) => BigInt.asIntN(64, value) !== value)).toStrictEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("a flight without anything to apply leaves the head as it is", () => {
    const head: Head = { ...NEW_HEAD, xp: 7n, seq: 3 };
    const clan: Clan = {
      clanId: "c",
      name: "C",
      autoClan: false,
      ranks: [{ name: "Guest", kind: "GUEST" }],
      xpFloor: 0n,
      xpCap: XP_MAX,
      amountMax: 1,
    };
    const refused: Award = { clanId: "c", platformId: "p", key: "=a", fingerprint: "p", amount: 1n, apiKeyId: "k" };
    const decision = decideAwards({ clan, head, awards: [refused], known: new Map(), now: NOW });
    expect(decision).toStrictEqual({ head, entries: [], outcomes: [{ kind: "rejected", code: "member_not_found" }] });
  });
});
