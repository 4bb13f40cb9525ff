// Where Roblox's requests to erase players of the clan are received, in the clan's settings.
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import type { MadeErasureHook } from "#contract/dashboard/clans.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";

/** `onMade` receives the new hook, whose secret is shown once. */
export function ErasureHooksSection({ clanId, onMade }: { clanId: string; onMade(made: MadeErasureHook): void }) {
  const [id, params, invalidate] = [useId(), { clanId }, useInvalidate()];
  const list = useApi("list-erasure-hooks", { params });
  const create = useMutation({
    mutationFn: () => call("add-erasure-hook", { params, body: {} }),
    onSuccess: onMade,
    onSettled: () => invalidate("list-erasure-hooks"),
  });
  return (
    <section aria-labelledby={id} className="grid gap-2 border-t border-line pt-4">
      <h3 id={id} className="font-medium">
        Roblox erasure requests
      </h3>
      <p className="text-sm text-muted">
        Roblox sends them to a URL when a player must be forgotten, and the player is erased from this clan.
      </p>
      <Loaded query={list} what="the URLs">
        {({ hooks, held }) => (
          <>
            {hooks.map(({ hookId, createdAt, createdBy }) => (
              <p key={hookId} className="text-sm break-words">
                <code>{hookId}</code>, created <Time at={createdAt} /> by {createdBy}
              </p>
            ))}
            {held === 0 ? null : (
              <p className="text-sm text-danger-ink">
                {held} requests wait for the operator: more arrived within an hour than may erase somebody.
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
