// The heart against a model: the rules of docs/concepts/ranks-and-auto-clans.md written down a second time, one award
// at a time, as plainly as possible.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { Outcome } from "#domain/outcome.ts";
import { XP_MAX, XP_MIN } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";
import type { Rank } from "#domain/rank.ts";
import { decideAwards } from "#domain/decide-awards.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import { endsMembership } from "#domain/membership.ts";

const NOW = new Date("2026-11-21T12:00:00Z");

type Step = { award: Award; clan: Clan };

/** What the model keeps of a member, and what it answers. */
type Model = {
  xp: bigint;
  isMember: boolean;
  isRemoved: boolean;
  isChief: boolean;
  answers: Map<string, { fingerprint: string; answer: string }>;
  applied: bigint[];
};

function modelRank(clan: Clan, { xp, isMember, isChief }: Model): string {
  const normals = clan.ranks.filter((rank) => rank.kind === "NORMAL");
  if (isMember && isChief) return "Chief";
  if (!isMember || normals.length === 0) return clan.ranks.find((rank) => rank.kind === "GUEST")?.name ?? "?";
  let name = normals[0]?.name ?? "?";
  for (const rank of normals) if (xp >= rank.threshold) name = rank.name;
  return name;
}

function modelStep(model: Model, { award, clan }: Step): string {
  const bound = model.answers.get(award.key);
  if (bound && bound.fingerprint === award.fingerprint) return `replayed ${bound.answer}`;
  if (!clan.autoClan && !model.isMember && award.batchId === undefined && award.kind === undefined)
    return "member_not_found";
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
  const reaches =
    clan.autoClan && award.batchId === undefined && award.amount > 0n && first !== undefined && next >= first.threshold;
  const joins = !model.isMember && (award.kind === "membership" ? !award.ends : reaches && !model.isRemoved);
  if (joins) Object.assign(model, { isMember: true, isRemoved: false });
  if (award.kind === "membership" && award.ends)
    Object.assign(model, { isMember: false, isRemoved: true, isChief: false });
  if (award.kind === "appointment") model.isChief = model.isMember && award.appoints !== null;
  const reached = clan.ranks.filter((rank) => rank.kind === "NORMAL" && next >= rank.threshold);
  const had = reached.filter((rank) => rank.kind === "NORMAL" && before >= rank.threshold);
  const hasNormalRank = model.isMember && !model.isChief;
  const passed = hasNormalRank ? reached.filter((rank) => joins || !had.includes(rank)).map(({ name }) => name) : [];
  const answer = `${next} ${modelRank(clan, model)} ${joins} ${passed.join("+")}`;
  model.answers.set(award.key, { fingerprint: award.fingerprint, answer });
  return `applied ${answer}`;
}

function shown(outcome: Outcome): string {
  if (outcome.kind === "rejected") return outcome.code;
  const { xp, rank, membershipCreated, ranksPassed = [] } = outcome.entry;
  return `${outcome.kind} ${xp} ${rank} ${membershipCreated} ${ranksPassed.join("+")}`;
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
    const ranks: Rank[] = [{ name: "Guest", kind: "GUEST" }, ...normals, { id: "boss", name: "Chief", kind: "OWNER" }];
    return { ...rules, clanId: "c", name: "C", amountMax: 1_000_000, ranks };
  });

const award: fc.Arbitrary<Award> = fc
  .record({
    // Few keys and few payloads, so that replays and reused keys are common.
    key: fc.constantFrom("=a", "=b", "=c", "=d", "=e", "=f"),
    fingerprint: fc.constantFrom("p", "q"),
    amount: fc.oneof(fc.bigInt({ min: -300n, max: 300n }), fc.constantFrom(0n, XP_MAX, -XP_MAX)),
    batched: fc.boolean(),
  })
  .map(({ batched, ...rest }) => ({
    ...rest,
    clanId: "c",
    platformId: "p",
    apiKeyId: "k",
    ...(batched ? { batchId: "bat_1" } : {}),
  }));

/** What operators do: few, beside many awards. */
const change: fc.Arbitrary<Award> = fc
  .record({
    key: fc.constantFrom("-a", "-b", "-c", "-d", "-e", "-f"),
    does: fc.constantFrom<Pick<Award, "kind" | "ends" | "appoints">>(
      { kind: "membership" },
      { kind: "membership", ends: true },
      { kind: "appointment", appoints: "boss" },
      { kind: "appointment", appoints: null },
    ),
  })
  .map(({ key, does }) => ({
    key,
    ...does,
    fingerprint: "",
    amount: 0n,
    clanId: "c",
    platformId: "p",
    apiKeyId: "cli",
  }));

const anyStep = fc.oneof({ arbitrary: award, weight: 4 }, { arbitrary: change, weight: 1 });

/** A history: rules that change now and then, awards under each of them. */
const anyHistory: fc.Arbitrary<Step[]> = fc
  .array(fc.record({ clan: clanRules, awards: fc.array(anyStep, { maxLength: 12 }) }), { maxLength: 5 })
  .map((eras) => eras.flatMap(({ clan, awards }) => awards.map((one) => ({ award: one, clan }))));

/** Runs a history through decideAwards in groups cut at the given places; groups never span a change of rules. */
function run(
  steps: readonly Step[],
  isCut: (index: number) => boolean,
): { outcomes: Outcome[]; head: Head; ledger: Entry[] } {
  let head: Head = NEW_HEAD;
  const ledger: Entry[] = [];
  const outcomes: Outcome[] = [];
  let group: Step[] = [];
  const installFolder = (): void => {
    const [first] = group;
    if (!first) return;
    const known = new Map(ledger.map((entry) => [entry.key, entry]));
    const decision = decideAwards({
      clan: first.clan,
      head,
      awards: group.map((step) => step.award),
      known,
      now: NOW,
    });
    head = decision.head;
    ledger.push(...decision.entries);
    outcomes.push(...decision.outcomes);
    group = [];
  };
  steps.forEach((step, index) => {
    if (group[0] && (group[0].clan !== step.clan || isCut(index))) installFolder();
    group.push(step);
  });
  installFolder();
  return { outcomes, head, ledger };
}

describe("decideAwards", () => {
  test("gives the same results as the model for every history, however it is divided into commit groups", () => {
    fc.assert(
      fc.property(anyHistory, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (steps, cuts) => {
        const model: Model = {
          xp: 0n,
          isMember: false,
          isRemoved: false,
          isChief: false,
          answers: new Map(),
          applied: [],
        };
        const expected = steps.map((step) => modelStep(model, step));
        const { outcomes, head } = run(steps, (index) => cuts[index % cuts.length] ?? false);
        expect(outcomes.map(shown)).toStrictEqual(expected);
        expect(head.xp).toBe(model.xp);
        expect(head.membership !== null).toBe(model.isMember);
        expect(head.removed ?? false).toBe(model.isRemoved);
        expect(head.appointedRank).toBe(model.isChief ? "boss" : null);
      }),
      { numRuns: 2_000 },
    );
  });

  test("keeps the ledger consistent: XP is the sum of applied amounts, seq has no gap, one entry creates a membership", () => {
    fc.assert(
      fc.property(anyHistory, (steps) => {
        const { head, ledger } = run(steps, () => false);
        let xp = 0n;
        ledger.forEach((entry, index) => {
          xp += entry.applied;
          expect(entry).toMatchObject({ seq: index + 1, xp });
        });
        expect(head).toMatchObject({ xp, seq: ledger.length });
        let isMember = false;
        for (const entry of ledger) {
          if (entry.membershipCreated) expect(isMember).toBe(false);
          isMember = entry.membershipCreated || (isMember && !endsMembership(entry));
        }
        expect(head.membership !== null).toBe(isMember);
        expect(new Set(ledger.map((entry) => entry.key)).size).toBe(ledger.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
