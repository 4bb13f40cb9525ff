// GET …/clans/{clanId}, as docs/reference/api.md describes it.
import { z } from "zod";
import { rankKinds } from "#domain/rank.ts";
import { includeOf } from "#contract/include.ts";
import { Instant, XpSum, XpText } from "#contract/text.ts";

const Rank = z
  .strictObject({ name: z.string(), kind: z.enum(rankKinds), threshold: XpText.exactOptional() })
  .meta({ id: "Rank", description: "`threshold`: NORMAL ranks only." });
export type Rank = z.infer<typeof Rank>;

const ClanInclude = includeOf(
  ["boosts", "totals"],
  "`boosts` adds the running and the coming boosts, `totals` the number of members and the sum of their XP.",
);
export const ClanQuery = z.strictObject({ include: ClanInclude });

export const Boost = z
  .strictObject({
    boostId: z.string(),
    name: z.string(),
    percent: z.int(),
    from: Instant,
    to: Instant,
    ranks: z.array(z.string()),
    placeIds: z.array(z.string()),
  })
  .meta({ id: "Boost", description: "Raises awards from `from` until before `to`. `percent` 200: twice the amount." });

const ClanTotals = z
  .strictObject({ members: z.int().min(0), memberships: z.int().min(0), xp: XpSum, asOf: Instant })
  .meta({
    id: "ClanTotals",
    description:
      "Of the members in the leaderboard. `memberships`: those who have one. `asOf`: when they were counted.",
  });

export const ClanResponse = z
  .strictObject({
    clanId: z.string(),
    name: z.string(),
    autoClan: z.boolean(),
    ranks: z.array(Rank),
    /** Only with `include=boosts`. */ boosts: z.array(Boost).exactOptional(),
    /** Only with `include=totals`. */
    totals: ClanTotals.exactOptional(),
  })
  .meta({
    id: "Clan",
    examples: [
      {
        clanId: "demo",
        name: "Demo",
        autoClan: true,
        ranks: [
          { name: "Guest", kind: "GUEST" },
          { name: "Recruit", kind: "NORMAL", threshold: "100" },
        ],
      },
    ],
  });
export type ClanResponse = z.infer<typeof ClanResponse>;
