// POST /v0/hooks/{hookId}: what Roblox sends (docs/reference/api.md, Erasure hooks). It is no row of the endpoint table,
// whose callers have an API key: Roblox signs its requests instead.
import { z } from "zod";
import { NOTIFICATION_ID_CHARS_MAX } from "#domain/erasure-hook.ts";
import { textOf } from "#contract/text.ts";

export const HOOK_PATH = "/v0/hooks/{hookId}";
/** Its name in metrics, logs and traces. */
export const HOOK_ROUTE = "receive-notification";

/** Longer than any that Roblox documents. */
const EVENT_TYPE_CHARS_MAX = 100;

/** Roblox may add fields. */
export const Notification = z.object({
  NotificationId: textOf(NOTIFICATION_ID_CHARS_MAX).min(1, { error: "must not be empty" }),
  EventType: textOf(EVENT_TYPE_CHARS_MAX).min(1, { error: "must not be empty" }),
  EventTime: z.string(),
  EventPayload: z.looseObject({}),
});

/** Of the event type `RightToErasureRequest`. */
export const ErasureNotification = Notification.extend({
  EventPayload: z.object({ UserId: z.int().positive(), GameIds: z.array(z.int().positive()) }),
});
