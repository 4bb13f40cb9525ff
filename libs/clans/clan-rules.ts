// The clans' rules as cached by a process, at most RULES_AGE_MAX_MS old.
import { AppError } from "#kernel/app-error.ts";
import type { Clan } from "#domain/clan.ts";
import { CLANS_CACHED_MAX, RULES_AGE_MAX_MS } from "#clans/bounds.ts";
import { makeTtlCache, type TtlCache } from "#async/ttl-cache.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { Clock } from "#kernel/clock.ts";

/** Reads reject with AppError `unavailable` if MongoDB cannot respond. */
export type ClanRules = Omit<TtlCache<Clan>, "peek">;

export function makeClanRules({ store, clock }: { store: Pick<ClanStore, "read">; clock: Clock }): ClanRules {
  return makeTtlCache({
    load: (clanIds) => store.read(clanIds),
    ageMaxMs: RULES_AGE_MAX_MS,
    sizeMax: CLANS_CACHED_MAX,
    clock,
  });
}

/**
 * The rules of a key's own clan. Its keys are revoked together with the clan, which a process may learn a moment later.
 * Throws AppError `key_revoked`, `unavailable`.
 */
export async function clanOf(rules: ClanRules, clanId: string): Promise<Clan> {
  const clan = await rules.get(clanId);
  if (!clan) throw new AppError("key_revoked", `The clan ${clanId} was deleted, and all of its keys were revoked.`);
  return clan;
}
