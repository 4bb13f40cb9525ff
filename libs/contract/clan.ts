// GET …/clans/{clanId}, as docs/reference/api.md describes it.
import { z } from "zod";
import { rankKinds } from "#domain/rank.ts";
import { XpText } from "#contract/text.ts";

const Rank = z
  .strictObject({ name: z.string(), kind: z.enum(rankKinds), threshold: XpText.exactOptional() })
  .meta({ id: "Rank", description: "`threshold`: NORMAL ranks only." });
export type Rank = z.infer<typeof Rank>;

export const ClanResponse = z
  .strictObject({ clanId: z.string(), name: z.string(), autoClan: z.boolean(), ranks: z.array(Rank) })
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
