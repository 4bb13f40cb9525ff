// What reading and changing clans needs from the outside.
import type { Actor } from "#domain/audit.ts";
import type { Clan } from "#domain/clan.ts";
import type { Renames } from "#domain/replace-ranks.ts";
import type { Rank } from "#domain/rank.ts";
import type { Page } from "#domain/page.ts";

/** The settings of a clan that operators and owners may change. */
export type ClanSettings = Partial<
  Pick<Clan, "name" | "autoClan" | "xpFloor" | "xpCap" | "amountMax" | "awardEvents" | "moderatorBounds"> & {
    /** What a member can gain in a day; null: no cap. */
    xpPerDay: bigint | null;
  }
>;

export type NextRanks = (now: readonly Rank[]) => readonly Rank[] | null;

/**
 * Every change is written together with its audit record, or not at all. Throws AppError `unavailable` if nothing was
 * written, `outcome_unknown` if this is not known.
 */
export type ClanStore = {
  /** False if the id is taken, by a clan that exists or by one that was deleted. */
  create(clan: Clan, by: Actor): Promise<boolean>;
  /** Whether a clan of this id was deleted, or is being deleted. */
  wasDeleted(clanId: string): Promise<boolean>;
  read(clanIds: readonly string[]): Promise<Map<string, Clan>>;
  list(): Promise<Clan[]>;
  /** By id, starting after `after`. `text`: only those whose id or name contains it; case is ignored. */
  search(text: string, page: { limit: number; after: string | null }): Promise<Page<Clan, string>>;
};

/** Its own port: ranks that are renamed keep their roles, so the change also reaches destinations. */
export type ClanChanges = {
  /**
   * The clan after the change; null if there is none, if its floor would be above its cap, or if `ranks` returns null
   * for its current ranks. `renames`: ranks that have another name now, by which boosts and mappings of roles name them.
   * `moved`: how many members rise and fall by the new ranks, for their event.
   */
  change(
    clanId: string,
    settings: ClanSettings & {
      ranks?: readonly Rank[] | NextRanks;
      renames?: Renames;
      moved?: { rise: number; fall: number };
    },
    by: Actor,
  ): Promise<Clan | null>;
};
