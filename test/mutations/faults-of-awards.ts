// Realistic mistakes in awards and corrections, for test/mutate.ts.
import type { Fault } from "./fault.ts";

const DECIDE = "libs/domain/decide-awards.ts";
const BOOST = "libs/domain/boost.ts";
const CAP = "libs/domain/daily-cap.ts";
const RULES = "libs/domain/amount-rules.ts";
const REVERSE = "libs/reversals/reverse-awards.ts";
const PREVIEW = "libs/resets/preview-reset.ts";

const AWARDS = ["test/libs/domain", "test/api/apply-award/", "test/api/apply-awards/"];
const CORRECTIONS = [
  "test/api/submit-reversal",
  "test/apps/cli/reverse",
  "test/apps/cli/reset",
  "test/simulation/reversals",
];

export const faultsOfAwards: readonly Fault[] = [
  {
    name: "a replay is answered like another award under the same key",
    file: DECIDE,
    from: "earlier?.fingerprint === award.fingerprint",
    to: "earlier?.fingerprint === award.key",
    tests: AWARDS,
  },
  {
    name: "a key that was used for another award is used again",
    file: DECIDE,
    from: '    if (earlier) return { kind: "rejected", code: "idempotency_key_reused" };\n',
    to: "",
    tests: AWARDS,
  },
  {
    name: "an award reaches somebody without a membership in a clan that is not an Auto Clan",
    file: DECIDE,
    from: "clan.autoClan || head.membership !== null || award.batchId",
    to: "clan.autoClan || head.seq === 0 || head.membership !== null || award.batchId",
    tests: AWARDS,
  },
  {
    name: "an award of a batch creates a membership",
    file: DECIDE,
    from: "kind === undefined && batchId === undefined && createsMembership",
    to: "kind === undefined && createsMembership",
    tests: [...AWARDS, "test/api/submit-batch", "test/apps/worker"],
  },
  {
    name: "an appointment outlives the membership",
    file: DECIDE,
    from: "appointedRank: membership && appointedRank,",
    to: "appointedRank,",
    tests: [...AWARDS, "test/libs/members", "test/apps/cli/member"],
  },
  {
    name: "a correction counts as the last award of its member",
    file: DECIDE,
    from: "...lastAwardIn(isAward ? now : before.lastAwardAt),",
    to: "...lastAwardIn(now),",
    tests: ["test/libs/domain", "test/api/last-award"],
  },
  {
    name: "a boost acts at the moment of its end",
    file: BOOST,
    from: "atMs >= boost.to.getTime()",
    to: "atMs > boost.to.getTime()",
    tests: ["test/libs/domain", "test/api/boosts"],
  },
  {
    name: "of several boosts the lowest acts",
    file: BOOST,
    from: "return one.percent > other.percent;",
    to: "return one.percent < other.percent;",
    tests: ["test/libs/domain", "test/api/boosts"],
  },
  {
    name: "a boost of 200 percent leaves an amount as it is",
    file: BOOST,
    from: "award.amount * BigInt(percent)",
    to: "award.amount * BigInt(percent - 100)",
    tests: ["test/libs/domain", "test/api/boosts"],
  },
  {
    name: "an entry of yesterday is limited by what was gained today",
    file: CAP,
    from: "cap.xp - (dayOf(at) === gains.day ? gains.gained : gains.gainedBefore)",
    to: "cap.xp - gains.gained",
    tests: ["test/libs/domain"],
  },
  {
    name: "the cap of a day limits what a person gives",
    file: DECIDE,
    from: "const allowed = isAward && amount > 0n",
    to: "const allowed = amount > 0n",
    tests: ["test/libs/domain", "test/apps/dashboard/members"],
  },
  {
    name: "the reversal of an award of another day gives XP back to this day",
    file: CAP,
    from: "return isCounted && dayOf(award.at) === dayOf(at) ? award.applied : 0n;",
    to: "return isCounted ? award.applied : 0n;",
    tests: ["test/libs/domain", "test/simulation/committer"],
  },
  {
    name: "a deduction may exceed the largest amount",
    file: RULES,
    from: "Math.abs(amount) <= amountMax",
    to: "amount <= amountMax",
    tests: AWARDS,
  },
  {
    name: "a key may deduct with any scope",
    file: RULES,
    from: 'amount < 0 && !scopes.includes("deduct")',
    to: "amount < 0 && scopes.length === 0",
    tests: [...AWARDS, "test/api/authentication", "test/api/submit-batch"],
  },
  {
    name: "an award in doubt is looked up as not applied",
    file: "libs/awards/find-replays.ts",
    from: "if (!entry && local.get",
    to: "if (entry && local.get",
    tests: [...AWARDS, "test/api/key-budget", "test/libs/awards"],
  },
  {
    name: "a replay counts in the budget of its key",
    file: "libs/awards/claim-awards.ts",
    from: "isFirst(index) && !replays.has(award)",
    to: "isFirst(index)",
    tests: ["test/api/key-budget", "test/libs/awards", "test/libs/keys"],
  },
  {
    name: "a reversal gives once more what it should take",
    file: REVERSE,
    from: "      amount: -applied,",
    to: "      amount: applied,",
    tests: CORRECTIONS,
  },
  {
    name: "a reset counts members who had nothing to lose",
    file: REVERSE,
    from: "if (applied !== 0n || !isReset(correction)) group.reversed += 1;",
    to: "group.reversed += 1;",
    tests: CORRECTIONS,
  },
  {
    name: "a key names a reversal, whatever it selects",
    file: "libs/reversals/submit-reversal.ts",
    from: "deps.digest(JSON.stringify([by, reason]))",
    to: "deps.digest(JSON.stringify([reason]))",
    tests: CORRECTIONS,
  },
  {
    name: "the preview of a reset counts members who would lose nothing",
    file: PREVIEW,
    from: "if (taken > 0n) preview.members += 1;",
    to: "preview.members += 1;",
    tests: [...CORRECTIONS, "test/apps/dashboard/resets"],
  },
];
