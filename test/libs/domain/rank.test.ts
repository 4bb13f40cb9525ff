import { describe, expect, test } from "vitest";
import { XP_MAX } from "#domain/bounds.ts";
import { rankFaults, standingOf, type Rank } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";

const normal = (name: string, threshold: bigint): Rank => ({ name, kind: "NORMAL", threshold });
const guest: Rank = { name: "Visitor", kind: "GUEST" };
const since = new Date(0);

function clanOf(...ranks: Rank[]): Clan {
  return { clanId: "c", name: "C", autoClan: true, ranks, xpFloor: 0n, xpCap: XP_MAX, amountMax: 1_000_000 };
}
function memberOf(xp: bigint, appointedRank: string | null = null): Head {
  return { ...NEW_HEAD, xp, membership: { since }, appointedRank };
}

describe("rankFaults returns", () => {
  const cases: [string, Rank[], number][] = [
    ["nothing for a valid list", [guest, normal("A", 0n), normal("B", XP_MAX)], 0],
    ["a fault if there is no guest rank", [normal("A", 0n)], 1],
    ["a fault for two guest ranks", [guest, { name: "Other", kind: "GUEST" }], 1],
    ["a fault for equal thresholds", [guest, normal("A", 5n), normal("B", 5n)], 1],
    ["a fault for falling thresholds", [guest, normal("A", 6n), normal("B", 5n)], 1],
    ["a fault for a negative threshold", [guest, normal("A", -1n)], 1],
    ["a fault for a threshold beyond Int64", [guest, normal("A", XP_MAX + 1n)], 1],
    ["a fault for a duplicate name", [guest, normal("Visitor", 5n)], 1],
    ["a fault for an empty name", [guest, normal("", 5n)], 1],
  ];
  test.each(cases)("%s", (_title, ranks, count) => {
    expect(rankFaults(ranks)).toHaveLength(count);
  });
});

describe("standingOf returns", () => {
  const ranked = clanOf(guest, normal("Recruit", 100n), normal("Veteran", 1000n), { name: "Officer", kind: "STAFF" });
  const cases: [string, Clan, Head, { rank: string; nextRank: string | null; xpToNextRank: bigint | null }][] = [
    [
      "the guest rank and the XP to the first rank without a membership",
      ranked,
      { ...NEW_HEAD, xp: 40n },
      { rank: "Visitor", nextRank: "Recruit", xpToNextRank: 60n },
    ],
    [
      "0 XP to the first rank without a membership, if the XP is above its threshold",
      ranked,
      { ...NEW_HEAD, xp: 400n },
      { rank: "Visitor", nextRank: "Recruit", xpToNextRank: 0n },
    ],
    [
      "the first rank for a membership below the first threshold",
      ranked,
      memberOf(-5n),
      { rank: "Recruit", nextRank: "Veteran", xpToNextRank: 1005n },
    ],
    [
      "the rank whose threshold the XP equals",
      ranked,
      memberOf(1000n),
      { rank: "Veteran", nextRank: null, xpToNextRank: null },
    ],
    [
      "the previous rank if the XP is one below a threshold",
      ranked,
      memberOf(999n),
      { rank: "Recruit", nextRank: "Veteran", xpToNextRank: 1n },
    ],
    [
      "the appointed rank for any XP",
      ranked,
      memberOf(5n, "Officer"),
      { rank: "Officer", nextRank: null, xpToNextRank: null },
    ],
    [
      "the current name of an appointed rank that has an ID",
      clanOf(guest, { id: "Officer", name: "Captain", kind: "STAFF" }, { id: "r2", name: "Officer", kind: "STAFF" }),
      memberOf(5n, "Officer"),
      { rank: "Captain", nextRank: null, xpToNextRank: null },
    ],
    [
      "the rank by XP if the appointed rank was removed",
      ranked,
      memberOf(5n, "Captain"),
      { rank: "Recruit", nextRank: "Veteran", xpToNextRank: 995n },
    ],
    [
      "the largest Int64 if a threshold is further away than that",
      clanOf(guest, normal("Low", 0n), normal("Top", XP_MAX)),
      memberOf(-2n),
      { rank: "Low", nextRank: "Top", xpToNextRank: XP_MAX },
    ],
    [
      "the guest rank for a membership in a clan without NORMAL ranks",
      clanOf(guest),
      memberOf(5n),
      { rank: "Visitor", nextRank: null, xpToNextRank: null },
    ],
    [
      "the guest rank without a membership in a clan without NORMAL ranks",
      clanOf(guest),
      NEW_HEAD,
      { rank: "Visitor", nextRank: null, xpToNextRank: null },
    ],
  ];
  test.each(cases)("%s", (_title, clan, head, standing) => {
    expect(standingOf(clan, head)).toStrictEqual(standing);
  });
});
