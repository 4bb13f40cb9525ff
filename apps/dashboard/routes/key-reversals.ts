// Reverses the awards of a leaked key. Its unfinished batches are cancelled first, so that none of its awards follows
// the reversal.
import type { keyReversalEndpoints } from "#contract/dashboard/key-reversals.ts";
import { reversalAccepted, reversalPreview } from "#contract/render.ts";
import type { Key } from "#domain/key.ts";
import type { CancelBatches } from "#batches/cancel-batches.ts";
import type { BatchStore } from "#batches/ports.ts";
import type { KeyStore } from "#keys/ports.ts";
import type { Clock } from "#kernel/clock.ts";
import type { PreviewReversal } from "#reversals/preview-reversal.ts";
import { DashboardError } from "../http/dashboard-error.ts";
import type { Routes } from "../http/route.ts";
import type { SubmitForPerson } from "./submit-for-person.ts";

/**
 * How long a person waits for the workers that run batches of the key: well within the time that the browser waits for
 * a response.
 */
const CANCEL_WAIT_MS = 5_000;

export function makeKeyReversalRoutes(deps: {
  keys: Pick<KeyStore, "read">;
  batches: Pick<BatchStore, "listUnfinishedOfKey">;
  cancelBatches: CancelBatches;
  previewReversal: PreviewReversal;
  submitForPerson: SubmitForPerson;
  clock: Clock;
}): Routes<typeof keyReversalEndpoints> {
  const { keys, batches, clock } = deps;

  /** A key of another clan is treated as unknown. */
  async function requireKey(clanId: string, keyId: string): Promise<Key> {
    const key = await keys.read(keyId);
    if (key?.clanId === clanId) return key;
    throw new DashboardError("not_found", "This clan has no such key. Nothing was changed.");
  }

  return {
    async "preview-key-reversal"({ params: { clanId, keyId }, query: { from, to } }) {
      await requireKey(clanId, keyId);
      // Before the awards are counted: a batch that finishes in between is then included in the counts.
      const { length: unfinishedBatches } = await batches.listUnfinishedOfKey({ clanId, keyId });
      const preview = await deps.previewReversal(clanId, { keyId, from, ...(to === undefined ? {} : { to }) });
      return { ...reversalPreview(preview), unfinishedBatches };
    },

    async "reverse-key-awards"({ params: { clanId, keyId }, body: { from, to, reason }, by }) {
      const key = await requireKey(clanId, keyId);
      if (!isEnded(key, clock.now())) {
        throw new DashboardError("conflict", "The key is still valid. Revoke it first. Nothing was changed.");
      }
      const list = () => batches.listUnfinishedOfKey({ clanId, keyId });
      const { cancelled, unfinished } = await deps.cancelBatches({ list, waitMs: CANCEL_WAIT_MS, by });
      const selection = { keyId, from, ...(to === undefined ? {} : { to }) };
      const reversal = await deps.submitForPerson({ clanId, caller: by, by: selection, reason });
      return { ...reversalAccepted(reversal), cancelled, unfinished };
    },
  };
}

function isEnded({ revokedAt, expiresAt }: Key, now: Date): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now);
}
