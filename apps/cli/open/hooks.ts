// Hooks for Roblox's erasure requests as the CLI manages them: with the key that encrypts their secrets, and the URL
// that Roblox is given.
import { makeHookSealer, publicHookKey } from "#delivery/couriers/hook-sealer.ts";
import { makeIds } from "#process/ids.ts";
import { randomText } from "#process/secrets.ts";
import { HOOK_SECRET_CHARS } from "#hooks/bounds.ts";
import { makeManageHooks } from "#hooks/manage-hooks.ts";
import type { Cli } from "../cli.ts";

/** MongoDB is prepared: an API of this version may not have run yet. */
export async function openHooksBy({ servers, settings, clock }: Pick<Cli, "servers" | "settings" | "clock">) {
  const { actor: by, hookKey, apiUrl } = settings("servers", "actor", "hookKey", "apiUrl");
  const { erasureHooks: hooks, clans } = await servers.preparedStores();
  const manage = makeManageHooks({
    hooks,
    async openSealer() {
      const publicKey = hookKey === null ? await hooks.readKey() : publicHookKey(hookKey);
      return publicKey === null ? null : makeHookSealer(publicKey);
    },
    newSecret: () => randomText(HOOK_SECRET_CHARS),
    ids: makeIds(clock),
    clock,
  });
  return { by, apiUrl, manage, clans };
}
