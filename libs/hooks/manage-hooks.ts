// What people do with hooks for Roblox's erasure requests. A secret is returned once, and stored encrypted: to verify a
// signature, its text is needed.
import type { Actor } from "#domain/audit.ts";
import { HOOKS_PER_CLAN_MAX, type ErasureHook } from "#domain/erasure-hook.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Sealer } from "#delivery/ports.ts";
import type { HookStore, OneHook } from "#hooks/ports.ts";

/** `secret`: its text, which is not shown again. */
export type MadeSecret = { kind: "made"; hookId: string; secret: string };
export type HookRejection = {
  kind: "rejected";
  why: "no_clan" | "no_hook" | "no_hook_key" | "too_many";
  detail: string;
};

export type ManageHooks = {
  add(hook: Pick<ErasureHook, "clanIds" | "games">, by: Actor): Promise<MadeSecret | HookRejection>;
  /** The old secret ends. */
  rotate(hook: OneHook, by: Actor): Promise<MadeSecret | HookRejection>;
};

export function makeManageHooks({
  hooks,
  openSealer,
  newSecret,
  ids,
  clock,
}: {
  hooks: Pick<HookStore, "add" | "rotate">;
  /** Null if no API with HOOK_KEY has run. */
  openSealer: () => Promise<Pick<Sealer, "seal"> | null>;
  newSecret: () => string;
  ids: Pick<Ids, "hook">;
  clock: Pick<Clock, "now">;
}): ManageHooks {
  return {
    async add({ clanIds, games }, by) {
      const sealer = await openSealer();
      if (!sealer) return NO_HOOK_KEY;
      const [hookId, secret] = [ids.hook(), newSecret()];
      const hook = { hookId, clanIds, games, createdAt: clock.now(), createdBy: by.actor };
      const sealed = sealer.seal(secret, hookId);
      const outcome = await hooks.add({ hook, sealed }, { max: HOOKS_PER_CLAN_MAX }, by);
      if (outcome === "added") return { kind: "made", hookId, secret };
      return outcome === "too_many"
        ? rejected("too_many", TOO_MANY)
        : rejected("no_clan", "One of the clans does not exist. Nothing was changed.");
    },

    async rotate(hook, by) {
      const { hookId } = hook;
      const sealer = await openSealer();
      if (!sealer) return NO_HOOK_KEY;
      const secret = newSecret();
      if (await hooks.rotate(hook, sealer.seal(secret, hookId), by)) return { kind: "made", hookId, secret };
      return rejected("no_hook", noHook(hookId));
    },
  };
}

export function noHook(hookId: string): string {
  return `There is no erasure hook ${hookId}. Nothing was changed.`;
}

function rejected(why: HookRejection["why"], detail: string): HookRejection {
  return { kind: "rejected", why, detail };
}

const TOO_MANY = `There are ${HOOKS_PER_CLAN_MAX} erasure hooks, the maximum. Remove one first. Nothing was changed.`;

const NO_HOOK_KEY = rejected(
  "no_hook_key",
  "No API with HOOK_KEY has run yet, so the secret cannot be encrypted. npm start and Docker Compose make the key; otherwise set HOOK_KEY of the API to 32 random bytes in base64. Nothing was changed.",
);
