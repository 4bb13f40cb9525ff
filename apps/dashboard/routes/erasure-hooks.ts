// Hooks for Roblox's erasure requests of one clan. Those of several clans are shown, and only an operator changes them.
import type { erasureHookEndpoints, ErasureHookFacts, MadeErasureHook } from "#contract/dashboard/erasure-hooks.ts";
import { hookUrl, type ErasureHook } from "#domain/erasure-hook.ts";
import { noHook, type HookRejection, type MadeSecret, type ManageHooks } from "#hooks/manage-hooks.ts";
import type { ErasureRequestStore, HookStore } from "#hooks/ports.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";

/** The operator has not set API_URL. */
const UNKNOWN_API = "https://your-clan-xp.example";

export function makeErasureHookRoutes(deps: {
  hooks: Pick<HookStore, "list" | "remove">;
  requests: Pick<ErasureRequestStore, "countHeld">;
  manageHooks: ManageHooks;
  apiUrl: string | null;
}): Routes<typeof erasureHookEndpoints> {
  const { hooks, requests, manageHooks } = deps;
  const urlOf = (hookId: string): string => hookUrl(deps.apiUrl ?? UNKNOWN_API, hookId);

  function factsOf({ hookId, clanIds, createdAt, createdBy }: ErasureHook): ErasureHookFacts {
    return {
      hookId,
      url: urlOf(hookId),
      isShared: clanIds?.length !== 1,
      createdAt: createdAt.toISOString(),
      createdBy,
    };
  }
  function shown(made: MadeSecret | HookRejection): MadeErasureHook {
    if (made.kind === "rejected")
      throw new DashboardError(made.why === "no_hook" ? "not_found" : "conflict", made.detail);
    const { hookId, secret } = made;
    return { hookId, url: urlOf(hookId), secret };
  }

  return {
    async "list-erasure-hooks"({ params: { clanId } }) {
      const [found, held] = await Promise.all([hooks.list(clanId), requests.countHeld(clanId)]);
      return { hooks: found.map(factsOf), held };
    },

    "add-erasure-hook": async ({ params: { clanId }, by }) =>
      shown(await manageHooks.add({ clanIds: [clanId], games: null }, by)),

    "rotate-erasure-hook": async ({ params: { clanId, hookId }, by }) =>
      shown(await manageHooks.rotate({ hookId, ofClan: clanId }, by)),

    async "remove-erasure-hook"({ params: { clanId, hookId }, by }) {
      if (!(await hooks.remove({ hookId, ofClan: clanId }, by))) throw new DashboardError("not_found", noHook(hookId));
      return { done: true };
    },
  };
}
