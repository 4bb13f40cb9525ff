// The collection of Roblox's erasure requests: its documents, and its indexes, each with the query that needs it.
//
// Invariant: a document has the platform ID only until the person is erased, or the request is rejected, and nothing
// that was derived from it.
import { Schema, type Connection, type Model } from "mongoose";
import type { ErasureRequest, ErasureRequestStatus } from "#domain/erasure-hook.ts";
import { SCHEMA_OPTIONS } from "#store/schema-options.ts";

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

const requestSchema = new Schema<RequestDoc>(
  {
    _id: { type: String, required: true },
    hookId: { type: String, required: true },
    notificationId: { type: String, required: true },
    clanIds: Schema.Types.Mixed,
    platformId: String,
    status: { type: String, required: true },
    receivedAt: { type: Date, required: true },
    doneAt: Date,
    clans: [String],
    erasures: { type: Schema.Types.Mixed, default: undefined },
    isReleased: Boolean,
  },
  SCHEMA_OPTIONS,
);
// Those that workers look for, the oldest first; those of a status, the newest first; how many are held.
requestSchema.index({ status: 1, receivedAt: 1 });
// The list, and that of a hook.
requestSchema.index({ receivedAt: -1 });
requestSchema.index({ hookId: 1, receivedAt: -1 });
// Retention: those that were done or rejected longest ago.
requestSchema.index({ doneAt: 1 });

export function makeRequestModel(connection: Connection): Model<RequestDoc> {
  return connection.model<RequestDoc>("erasureRequest", requestSchema, "erasure_requests");
}

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
