// Creates a clan with the default bounds, and Guest as its only rank.
import type { Actor } from "#domain/audit.ts";
import { AMOUNT_MAX_DEFAULT, XP_MAX } from "#domain/bounds.ts";
import { GUEST_DEFAULT } from "#domain/rank.ts";
import type { Clan } from "#domain/clan.ts";
import type { ClanStore } from "#clans/ports.ts";

/** `clanId` and `name` are valid. `taken`, `deleted`: a clan has the id, or had it. Then nothing was changed. */
export type CreateClan = (
  request: Pick<Clan, "clanId" | "name" | "autoClan">,
  by: Actor,
) => Promise<{ kind: "created"; clan: Clan } | { kind: "taken" | "deleted" }>;

export function makeCreateClan({ clans }: { clans: Pick<ClanStore, "create" | "wasDeleted"> }): CreateClan {
  return async function createClan({ clanId, name, autoClan }, by) {
    const clan: Clan = {
      clanId,
      name,
      autoClan,
      ranks: [GUEST_DEFAULT],
      xpFloor: 0n,
      xpCap: XP_MAX,
      amountMax: AMOUNT_MAX_DEFAULT,
    };
    if (await clans.create(clan, by)) return { kind: "created", clan };
    return { kind: (await clans.wasDeleted(clanId)) ? "deleted" : "taken" };
  };
}
