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
  const unranked = clanOf(guest);
  const outsider = (xp: bigint): Head => ({ ...NEW_HEAD, xp });
  const cases: [string, Clan, Head, string, string | null, bigint | null][] = [
    [
      "the guest rank and the XP to the first rank without a membership",
      ranked,
      outsider(40n),
      "Visitor",
      "Recruit",
      60n,
    ],
    [
      "0 XP to the first rank without a membership, if that is reached",
      ranked,
      outsider(400n),
      "Visitor",
      "Recruit",
      0n,
    ],
    ["the first rank for a membership below the first threshold", ranked, memberOf(-5n), "Recruit", "Veteran", 1005n],
    ["the rank whose threshold the XP equals", ranked, memberOf(1000n), "Veteran", null, null],
    ["the previous rank if the XP is one below a threshold", ranked, memberOf(999n), "Recruit", "Veteran", 1n],
    ["the appointed rank for any XP", ranked, memberOf(5n, "Officer"), "Officer", null, null],
    [
      "the current name of an appointed rank that has an ID",
      clanOf(guest, { id: "Officer", name: "Captain", kind: "STAFF" }, { id: "r2", name: "Officer", kind: "STAFF" }),
      memberOf(5n, "Officer"),
      "Captain",
      null,
      null,
    ],
    ["the rank by XP if the appointed rank was removed", ranked, memberOf(5n, "Captain"), "Recruit", "Veteran", 995n],
    [
      "the largest Int64 if a threshold is further away than that",
      clanOf(guest, normal("Low", 0n), normal("Top", XP_MAX)),
      memberOf(-2n),
      "Low",
      "Top",
      XP_MAX,
    ],
    ["the guest rank for a membership in a clan without NORMAL ranks", unranked, memberOf(5n), "Visitor", null, null],
    ["the guest rank without a membership in a clan without NORMAL ranks", unranked, NEW_HEAD, "Visitor", null, null],
  ];
  test.each(cases)("%s", (_title, clan, head, rank, nextRank, xpToNextRank) => {
    expect(standingOf(clan, head)).toStrictEqual({ rank, nextRank, xpToNextRank });
  });
});
