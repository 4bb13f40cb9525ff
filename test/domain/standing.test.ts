import { describe, expect, test } from "vitest";
import { XP_MAX } from "#domain/bounds.ts";
import { standingOf, type Rank } from "#domain/rank.ts";
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

describe("standingOf", () => {
  const ranked = clanOf(guest, normal("Recruit", 100n), normal("Veteran", 1000n), { name: "Officer", kind: "STAFF" });
  const cases: [string, Clan, Head, { rank: string; nextRank: string | null; xpToNextRank: bigint | null }][] = [
    [
      "no membership: the guest rank, on the way to the first",
      ranked,
      { ...NEW_HEAD, xp: 40n },
      { rank: "Visitor", nextRank: "Recruit", xpToNextRank: 60n },
    ],
    [
      "no membership, XP above: at least 0 away",
      ranked,
      { ...NEW_HEAD, xp: 400n },
      { rank: "Visitor", nextRank: "Recruit", xpToNextRank: 0n },
    ],
    [
      "below the first threshold a membership is worth the first rank",
      ranked,
      memberOf(-5n),
      { rank: "Recruit", nextRank: "Veteran", xpToNextRank: 1005n },
    ],
    ["exactly at a threshold", ranked, memberOf(1000n), { rank: "Veteran", nextRank: null, xpToNextRank: null }],
    ["one below a threshold", ranked, memberOf(999n), { rank: "Recruit", nextRank: "Veteran", xpToNextRank: 1n }],
    [
      "appointed: the name whatever the XP",
      ranked,
      memberOf(5n, "Officer"),
      { rank: "Officer", nextRank: null, xpToNextRank: null },
    ],
    [
      "appointed to a rank with an id: its name of now",
      clanOf(guest, { id: "Officer", name: "Captain", kind: "STAFF" }, { id: "r2", name: "Officer", kind: "STAFF" }),
      memberOf(5n, "Officer"),
      { rank: "Captain", nextRank: null, xpToNextRank: null },
    ],
    [
      "appointed to a rank that is gone: by XP again",
      ranked,
      memberOf(5n, "Captain"),
      { rank: "Recruit", nextRank: "Veteran", xpToNextRank: 995n },
    ],
    [
      "a threshold further away than Int64 counts: as far as it counts",
      clanOf(guest, normal("Low", 0n), normal("Top", XP_MAX)),
      memberOf(-2n),
      { rank: "Low", nextRank: "Top", xpToNextRank: XP_MAX },
    ],
    [
      "no NORMAL ranks, membership",
      clanOf(guest),
      memberOf(5n),
      { rank: "Visitor", nextRank: null, xpToNextRank: null },
    ],
    [
      "no NORMAL ranks, no membership",
      clanOf(guest),
      NEW_HEAD,
      { rank: "Visitor", nextRank: null, xpToNextRank: null },
    ],
  ];
  test.each(cases)("%s", (_title, clan, head, standing) => {
    expect(standingOf(clan, head)).toStrictEqual(standing);
  });
});
