// The clan's API keys, by the same use cases as the command line.
import type { keyEndpoints, KeyFacts, KeyStatus } from "#contract/dashboard/keys.ts";
import { LIVE_KEYS_PER_CLAN_MAX } from "#domain/bounds.ts";
import type { CreateKey } from "#keys/create-key.ts";
import type { IssuedKey, KeyRejection } from "#keys/issue-key.ts";
import type { KeyList } from "#keys/list-keys.ts";
import type { RotateKey } from "#keys/rotate-key.ts";
import type { Key } from "#domain/key.ts";
import type { KeyStore } from "#keys/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

const HOUR_MS = 3_600_000;

export function makeKeyRoutes(deps: {
  keys: Pick<KeyStore, "read" | "limit" | "revoke">;
  listKeys: (clanId: string) => Promise<KeyList>;
  createKey: CreateKey;
  rotateKey: RotateKey;
  clock: Clock;
  apiUrl: string | null;
}): Routes<typeof keyEndpoints> {
  const { keys, listKeys, createKey, rotateKey, clock, apiUrl } = deps;

  function shown({ kind, ...issued }: IssuedKey | KeyRejection): { key: KeyFacts; secret: string } {
    if ("key" in issued) return { key: factsOf(issued.key, clock.now()), secret: issued.secret };
    throw new DashboardError(kind === "no_clan" || kind === "no_key" ? "not_found" : "conflict", issued.detail);
  }

  /** A key of another clan is treated as unknown. */
  async function requireKey(clanId: string, keyId: string): Promise<void> {
    const key = await keys.read(keyId);
    if (key?.clanId !== clanId) throw noSuchKey();
  }

  return {
    async "list-keys"({ params: { clanId } }) {
      const now = clock.now();
      const { keys: stored, spent } = await listKeys(clanId);
      const listed = stored.map((key) => ({ ...factsOf(key, now), spentToday: spent.get(key.keyId) ?? null }));
      const live = listed.filter((key) => key.status === "live").length;
      return { keys: listed.toReversed(), live, liveMax: LIVE_KEYS_PER_CLAN_MAX, apiUrl };
    },

    async "create-key"({ params: { clanId }, body, by }) {
      const expiresAt = body.expiresAt === null ? null : new Date(body.expiresAt);
      if (expiresAt && expiresAt <= clock.now()) {
        const faults = [{ pointer: "/expiresAt", detail: "must be in the future" }];
        throw new DashboardError("invalid_request", "The expiry is in the past. No key was created.", { faults });
      }
      const limits = { amountMax: body.amountMax ?? null, xpPerDay: body.xpPerDay ?? null };
      const facts = { clanId, name: body.name, scopes: [...new Set(body.scopes)], expiresAt, limits };
      return shown(await createKey(facts, by));
    },

    async "limit-key"({ params: { clanId, keyId }, body, by }) {
      await requireKey(clanId, keyId);
      const key = await keys.limit(keyId, body, by);
      if (!key) throw noSuchKey();
      return factsOf(key, clock.now());
    },

    async "rotate-key"({ params: { clanId, keyId }, body, by }) {
      await requireKey(clanId, keyId);
      return shown(await rotateKey({ keyId, graceMs: body.graceHours * HOUR_MS }, by));
    },

    async "revoke-key"({ params: { clanId, keyId }, by }) {
      await requireKey(clanId, keyId);
      const key = await keys.revoke(keyId, clock.now(), by);
      if (!key) throw noSuchKey();
      return factsOf(key, clock.now());
    },
  };
}

function noSuchKey(): DashboardError {
  return new DashboardError("not_found", "This clan has no such key. Nothing was changed.");
}

function factsOf(key: Key, now: Date): KeyFacts {
  const { requestsPerSecond, amountMax, xpPerDay } = key.limits;
  return {
    keyId: key.keyId,
    name: key.name,
    hint: key.hint,
    scopes: [...key.scopes],
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedBy: key.replacedBy,
    status: statusOf(key, now),
    limits: { requestsPerSecond, amountMax, xpPerDay },
  };
}

function statusOf(key: Key, now: Date): KeyStatus {
  if (key.revokedAt) return "revoked";
  if (key.expiresAt && key.expiresAt <= now) return "expired";
  return key.replacedBy === null ? "live" : "replaced";
}
