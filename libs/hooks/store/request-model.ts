// The collection of Roblox's erasure requests: its documents, and its indexes, each with the query that needs it.
//
// Invariant: a document has the platform ID only until the person is erased, or the request is rejected, and nothing
// that was derived from it.
import type { ErasureRequest, ErasureRequestStatus } from "#domain/erasure-hook.ts";
import { index } from "#mongo/collection.ts";

/**
 * `_id`: the hook and the NotificationId, so that each counts once. `clanIds`: those of the hook. `clans`: where the person is
 * erased, by `erasures`. `isReleased`: by a person. `doneAt`: by MongoDB's clock.
 */
export type RequestDoc = {
  _id: string;
  hookId: string;
  notificationId: string;
  clanIds: string[] | null;
  platformId?: string;
  status: ErasureRequestStatus;
  receivedAt: Date;
  doneAt: Date | null;
  clans: string[];
  erasures?: { clanId: string | null; erasureId: string }[];
  isReleased?: true;
};

export const REQUESTS = {
  name: "erasure_requests",
  indexes: [
    // Those that workers look for, the oldest first; those of a status, the newest first; how many are held.
    index({ status: 1, receivedAt: 1 }),
    // The list, and that of a hook.
    index({ receivedAt: -1 }),
    index({ hookId: 1, receivedAt: -1 }),
    // Retention: those that were done or rejected longest ago.
    index({ doneAt: 1 }),
  ],
};

/** An update: it ends without the person. */
export function ended(status: "done" | "refused") {
  return [{ $set: { status, doneAt: "$$NOW" } }, { $unset: ["platformId"] }];
}

export function requestIdOf({ hookId, notificationId }: { hookId: string; notificationId: string }): string {
  return `${hookId}/${notificationId}`;
}

export function requestOfDoc(doc: RequestDoc): ErasureRequest {
  const { notificationId, hookId, platformId = null, status, clans, receivedAt, doneAt } = doc;
  // Until it is done, nobody was erased.
  return { notificationId, hookId, platformId, status, clans: status === "done" ? clans : [], receivedAt, doneAt };
}
