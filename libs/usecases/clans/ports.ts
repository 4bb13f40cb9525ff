// What reading and changing clans needs from the outside.
import type { Clan, Rank } from "#domain/clan.ts";

/** What operators and owners may change of a clan. */
export type ClanSettings = Partial<Pick<Clan, "name" | "autoClan" | "xpFloor" | "xpCap" | "amountMax">>;

export type ClanStore = {
  /** False when the id is taken. */
  create(clan: Clan): Promise<boolean>;
  read(clanIds: readonly string[]): Promise<Map<string, Clan>>;
  list(): Promise<Clan[]>;
  /** The clan as changed; null when there is none, or when its floor would come to lie above its cap. */
  change(clanId: string, settings: ClanSettings & { ranks?: readonly Rank[] }): Promise<Clan | null>;
};
