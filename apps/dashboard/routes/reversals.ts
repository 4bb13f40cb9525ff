// Reverses one award of a member, by the same use cases as the public API and the command line: the reversal is
// recorded, queued, and run by a worker.
import { isModerator } from "#domain/account.ts";
import type { reversalEndpoints } from "#contract/dashboard/reversals.ts";
import { reversalState } from "#contract/render.ts";
import type { ReversalBy } from "#domain/reversal.ts";
import type { NameStore } from "#usecases/names/ports.ts";
import type { ReversalStore } from "#usecases/reversals/ports.ts";
import type { PreviewReversal } from "#usecases/reversals/preview-reversal.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";
import type { SubmitForPerson } from "./submit-for-person.ts";

export function makeReversalRoutes(deps: {
  reversals: Pick<ReversalStore, "read">;
  names: Pick<NameStore, "read">;
  previewReversal: PreviewReversal;
  submitForPerson: SubmitForPerson;
}): Routes<typeof reversalEndpoints> {
  const { reversals, names, previewReversal, submitForPerson } = deps;

  async function isGivenBy(name: string, clanId: string, award: ReversalBy): Promise<boolean> {
    return (await previewReversal(clanId, award, { givenBy: name })).awards > 0;
  }

  return {
    async "preview-reversal"({ params: { clanId, ...award } }) {
      const { awards, members, amount } = await previewReversal(clanId, award);
      return { awards, members, amount: amount.toString() };
    },

    async "reverse-award"({ params: { clanId, ...award }, body, by, who: { account } }) {
      const { awards } = await previewReversal(clanId, award);
      if (awards === 0) {
        throw new DashboardError(
          "conflict",
          "This member has no such award, or it is already reversed. Nothing was changed.",
        );
      }
      if (isModerator(account, clanId) && !(await isGivenBy(account.name, clanId, award))) {
        const detail = "As a moderator, you may reverse only what you gave or took yourself. Nothing was changed.";
        throw new DashboardError("forbidden", detail);
      }
      const reversal = await submitForPerson({ clanId, caller: by, by: award, reason: body.reason });
      return { reversalId: reversal.reversalId, status: reversal.state };
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
