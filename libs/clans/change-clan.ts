// Changes a clan's settings. The floor is never above the cap, whatever is changed at the same time.
import type { Actor } from "#domain/audit.ts";
import type { Clan } from "#domain/clan.ts";
import type { ClanChanges, ClanSettings, ClanStore } from "#clans/ports.ts";

export type ClanChange =
  | { kind: "changed"; clan: Clan }
  | { kind: "no_clan" }
  | { kind: "floor_above_cap"; xpFloor: bigint; xpCap: bigint };

/** Each value of `settings` is within its bounds. Takes effect within 1 s on every process (decision 0008). */
export type ChangeClan = (clanId: string, settings: ClanSettings, by: Actor) => Promise<ClanChange>;

export function makeChangeClan({ clans }: { clans: Pick<ClanStore, "read"> & ClanChanges }): ChangeClan {
  return async function changeClan(clanId, settings, by): Promise<ClanChange> {
    const before = (await clans.read([clanId])).get(clanId);
    if (!before) return { kind: "no_clan" };
    const { xpFloor, xpCap } = { ...before, ...settings };
    if (xpFloor !== null && xpFloor > xpCap) return { kind: "floor_above_cap", xpFloor, xpCap };

    const clan = await clans.change(clanId, settings, by);
    // The bounds have changed since they were read: check the change again against the current ones.
    return clan ? { kind: "changed", clan } : changeClan(clanId, settings, by);
  };
}
