// Creates an API key for a clan.
import type { Actor } from "#domain/audit.ts";
import { LIVE_KEYS_PER_CLAN_MAX } from "#domain/bounds.ts";
import { KEY_LIMITS_DEFAULT, type KeyLimits } from "#domain/key-limits.ts";
import type { Scope } from "#domain/scope.ts";
import { issue, type IssuedKey, type IssueDeps, type KeyRejection } from "#keys/issue-key.ts";

export type CreateKey = (
  request: {
    clanId: string;
    name: string;
    scopes: readonly Scope[];
    expiresAt: Date | null;
    /** Those that differ from the default ones. */
    limits?: Partial<KeyLimits>;
  },
  by: Actor,
) => Promise<IssuedKey | KeyRejection>;

const TOO_MANY = `A clan has at most ${LIVE_KEYS_PER_CLAN_MAX} live keys. Revoke one, or rotate one instead.`;

export function makeCreateKey(deps: IssueDeps): CreateKey {
  return async function createKey({ clanId, name, scopes, expiresAt, limits = {} }, by) {
    const clans = await deps.clans.read([clanId]);
    if (!clans.has(clanId)) return { kind: "no_clan", detail: `There is no clan ${clanId}.` };
    const now = deps.clock.now();
    const facts = { clanId, name, scopes, createdAt: now, expiresAt };
    const issued = issue(deps, { ...facts, limits: { ...KEY_LIMITS_DEFAULT, ...limits } });
    const added = await deps.keys.add(issued.key, { liveMax: LIVE_KEYS_PER_CLAN_MAX, now }, by);
    return added ? issued : { kind: "too_many_keys", detail: TOO_MANY };
  };
}
