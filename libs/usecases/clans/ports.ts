// What reading and changing clans needs from the outside.
import type { Actor } from "#domain/audit.ts";
import type { Clan } from "#domain/clan.ts";
import type { Rank } from "#domain/rank.ts";
import type { Page } from "#usecases/members/ports.ts";

/** What operators and owners may change of a clan. */
export type ClanSettings = Partial<Pick<Clan, "name" | "autoClan" | "xpFloor" | "xpCap" | "amountMax">>;

export type NextRanks = (now: readonly Rank[]) => readonly Rank[] | null;

/**
 * Every change leaves its audit record, or does not happen: AppError `unavailable`; `outcome_unknown` where nobody
 * knows.
 */
export type ClanStore = {
  /** False when the id is taken. */
  create(clan: Clan, by: Actor): Promise<boolean>;
  read(clanIds: readonly string[]): Promise<Map<string, Clan>>;
  list(): Promise<Clan[]>;
  /**
   * By id, from behind `after` on. `text`: only those whose id or name contains it, whatever the case of its letters.
   */
  search(text: string, page: { limit: number; after: string | null }): Promise<Page<Clan, string>>;
  /**
   * The clan as changed; null when there is none, when its floor would come to lie above its cap, or when `ranks`
   * returns null for the ranks that it has then.
   */
  change(
    clanId: string,
    settings: ClanSettings & { ranks?: readonly Rank[] | NextRanks },
    by: Actor,
  ): Promise<Clan | null>;
};
