// The clan's resets, by the same use cases as the command line.
import type { resetEndpoints } from "#contract/dashboard/resets.ts";
import { reversalAccepted, reversalPreview } from "#contract/render.ts";
import { resetResponse } from "#contract/render-reset.ts";
import type { Reset } from "#domain/reset.ts";
import { RESETS_LISTED_MAX } from "#resets/bounds.ts";
import type { ResetStore } from "#resets/ports.ts";
import type { PreviewReset } from "#resets/preview-reset.ts";
import type { SubmitReset } from "#resets/submit-reset.ts";
import { PREVIEW_MS_MAX } from "#reversals/bounds.ts";
import type { PreviewReversal } from "#reversals/preview-reversal.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";
import type { SubmitForPerson } from "./submit-for-person.ts";

export function makeResetRoutes(deps: {
  resets: Pick<ResetStore, "read" | "list" | "cancel">;
  previewReset: PreviewReset;
  submitReset: SubmitReset;
  previewReversal: PreviewReversal;
  submitForPerson: SubmitForPerson;
}): Routes<typeof resetEndpoints> {
  const { resets, previewReset, submitReset, previewReversal } = deps;

  /** A reset of another clan is treated as unknown. */
  async function requireReset(clanId: string, resetId: string): Promise<Reset> {
    const reset = await resets.read(resetId);
    if (reset?.clanId === clanId) return reset;
    throw noReset();
  }

  return {
    async "list-resets"({ params: { clanId } }) {
      return { resets: (await resets.list(clanId, RESETS_LISTED_MAX)).map(resetResponse) };
    },

    async "preview-reset"({ params: { clanId }, query: { at, keepPercent } }) {
      const asked = { clanId, at: at === undefined ? null : new Date(at), keepPercent: Number(keepPercent) };
      const preview = await previewReset(asked, { withinMs: PREVIEW_MS_MAX });
      if (!preview) throw new DashboardError("not_found", "There is no such clan. Nothing was changed.");
      return { members: preview.members, amount: preview.amount.toString() };
    },

    async "submit-reset"({ params: { clanId }, body: { at, keepPercent, reason }, by }) {
      const asked = { clanId, at: at === null ? null : new Date(at), keepPercent, reason: reason?.trim() || null };
      const submitted = await submitReset(asked, by);
      switch (submitted.kind) {
        case "out_of_reach":
          throw new DashboardError("invalid_request", `${submitted.detail} Nothing was accepted.`);
        case "too_many_resets":
          throw new DashboardError("conflict", submitted.detail);
        case "accepted":
          return resetResponse(submitted.reset);
      }
    },

    async "cancel-reset"({ params, by }) {
      const reset = await resets.cancel(params, by);
      if (!reset) throw noReset();
      if (reset.state === "cancelled") return resetResponse(reset);
      const detail =
        "The reset has begun, so it cannot be cancelled. Nothing was changed. You can undo it when it is done.";
      throw new DashboardError("conflict", detail);
    },

    async "preview-undo-reset"({ params: { clanId, resetId } }) {
      await requireReset(clanId, resetId);
      return reversalPreview(await previewReversal(clanId, { resetId }));
    },

    async "undo-reset"({ params: { clanId, resetId }, by }) {
      await requireReset(clanId, resetId);
      return reversalAccepted(await deps.submitForPerson({ clanId, caller: by, by: { resetId }, reason: null }));
    },
  };
}

function noReset(): DashboardError {
  return new DashboardError("not_found", "This clan has no such reset. Nothing was changed.");
}
