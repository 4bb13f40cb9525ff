// Reverses one award of a member, by the same use cases as the public API and the command line: the reversal is
// recorded, queued, and run by a worker.
import { isModerator } from "#domain/account.ts";
import type { reversalEndpoints } from "#contract/dashboard/reversals.ts";
import { reversalAccepted, reversalPreview, reversalState } from "#contract/render.ts";
import type { ReversalBy } from "#domain/reversal.ts";
import type { NameStore } from "#names/ports.ts";
import type { ReversalStore } from "#reversals/ports.ts";
import type { PreviewReversal } from "#reversals/preview-reversal.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";
import type { SubmitForPerson } from "./submit-for-person.ts";

const NOT_THEIRS = "As a moderator, you may reverse only what you gave or took yourself. Nothing was changed.";

export function makeReversalRoutes(deps: {
  reversals: Pick<ReversalStore, "read">;
  names: Pick<NameStore, "read">;
  previewReversal: PreviewReversal;
  submitForPerson: SubmitForPerson;
}): Routes<typeof reversalEndpoints> {
  const { reversals, names, previewReversal, submitForPerson } = deps;

  async function selects(clanId: string, award: ReversalBy, givenBy: string | null): Promise<boolean> {
    return (await previewReversal(clanId, award, { givenBy })).awards > 0;
  }

  return {
    async "preview-reversal"({ params: { clanId, ...award } }) {
      return reversalPreview(await previewReversal(clanId, award));
    },

    async "reverse-award"({ params: { clanId, ...award }, body, by, who: { account } }) {
      const giver = isModerator(account, clanId) ? account.name : null;
      if (!(await selects(clanId, award, giver))) {
        if (giver !== null && (await selects(clanId, award, null))) throw new DashboardError("forbidden", NOT_THEIRS);
        throw new DashboardError(
          "conflict",
          "This member has no such award, or it is already reversed. Nothing was changed.",
        );
      }
      return reversalAccepted(await submitForPerson({ clanId, caller: by, by: award, reason: body.reason }));
    },

    async "read-reversal"({ params: { clanId, reversalId } }) {
      const reversal = await reversals.read(reversalId);
      // A reversal of another clan is treated as unknown.
      if (reversal?.clanId !== clanId) throw new DashboardError("not_found", "This clan has no such reversal.");
      const state = reversalState(reversal);
      const platformId = "platformId" in state.by ? state.by.platformId : null;
      const name = platformId === null ? undefined : (await names.read(clanId, [platformId])).get(platformId);
      return { ...state, actor: reversal.actor, name: name ?? null };
    },
  };
}
