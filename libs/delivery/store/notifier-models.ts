// The collections of notifiers that are alive, and of what people ask them to do.
import { index } from "#mongo/collection.ts";
import type { Call, CallResult } from "#delivery/call-ports.ts";

/** `leaseId`: of its lease, which was renewed at this time, by MongoDB's clock. */
export type NotifierDoc = { _id: string; leaseId: string; at: Date };

/** `destinationId`: only its holder may take the call; null: any notifier. `takenBy`: the notifier that answers it. */
export type CallDoc = {
  _id: string;
  at: Date;
  destinationId: string | null;
  call: Call;
  takenBy: string | null;
  result: CallResult | null;
};

/** The asking process has deleted it long before, unless it crashed; a result may name members. */
const CALL_STORED_S = 300;

export const NOTIFIERS = { name: "notifiers", indexes: [] };
export const CALLS = { name: "calls", indexes: [index({ at: 1 }, { expireAfterSeconds: CALL_STORED_S })] };
