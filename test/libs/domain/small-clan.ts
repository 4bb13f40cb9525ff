// The smallest clan in which an award can change a rank: an Auto Clan with one NORMAL rank.
import { XP_MAX } from "#domain/bounds.ts";
import type { Clan } from "#domain/clan.ts";

export const smallClan: Clan = {
  clanId: "c",
  name: "C",
  autoClan: true,
  ranks: [
    { name: "Guest", kind: "GUEST" },
    { name: "Recruit", kind: "NORMAL", threshold: 100n },
  ],
  xpFloor: 0n,
  xpCap: XP_MAX,
  amountMax: 1_000_000,
};
