// Where Roblox's requests to erase players of the clan are received, in the clan's settings.
import { useId } from "react";
import type { ErasureHookFacts } from "#contract/dashboard/erasure-hooks.ts";
import { useAction } from "../../api/use-action.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import type { OpenErasureHook } from "./erasure-hook-dialog.tsx";

type OnOpen = { onOpen(open: OpenErasureHook): void };

export function ErasureHooksSection({ clanId, onOpen }: { clanId: string } & OnOpen) {
  const [id, params] = [useId(), { clanId }];
  const list = useApi("list-erasure-hooks", { params });
  const create = useAction("add-erasure-hook", () => ({ params, body: {} }), {
    refreshes: ["list-erasure-hooks"],
    onDone: (made) => onOpen({ dialog: "made", made }),
  });
  return (
    <section aria-labelledby={id} className="grid gap-3 border-t border-line pt-4">
      <h3 id={id} className="font-medium">
        Roblox erasure requests
      </h3>
      <p className="text-sm text-muted">
        Roblox sends them to a URL when a player must be forgotten, and the player is erased from this clan.
      </p>
      <Loaded query={list} what="the URLs">
        {({ hooks, held }) => (
          <>
            {hooks.map((hook) => (
              <Hook key={hook.hookId} hook={hook} onOpen={onOpen} />
            ))}
            {held === 0 ? null : (
              <p className="text-sm text-danger-ink">
                {held === 1 ? "1 request waits" : `${held} requests wait`} for the operator: more arrived within an hour
                than may erase somebody.
              </p>
            )}
          </>
        )}
      </Loaded>
      {create.error ? <Failed error={create.error} /> : null}
      <div>
        <Button size="small" busy={create.isPending} onClick={() => create.mutate()}>
          Create
        </Button>
      </div>
    </section>
  );
}

function Hook({ hook: { hookId, url, isShared, createdAt, createdBy }, onOpen }: { hook: ErasureHookFacts } & OnOpen) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="grid gap-1.5 text-sm">
      <code id={id} className="break-all">
        {url}
      </code>
      <p className="text-muted">
        Created <Time at={createdAt} /> by {createdBy}.
        {isShared ? " It also erases from other clans: the operator changes it." : null}
      </p>
      {isShared ? null : (
        <div className="flex flex-wrap gap-2">
          <Button size="small" onClick={() => onOpen({ dialog: "rotate", hookId })}>
            Rotate secret
          </Button>
          <Button size="small" kind="warning" onClick={() => onOpen({ dialog: "remove", hookId })}>
            Remove
          </Button>
        </div>
      )}
    </div>
  );
}
