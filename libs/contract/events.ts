// GET …/events, as docs/reference/api.md describes it.
import { z } from "zod";
import { familyOf, feedTypes, type EventType } from "#domain/event.ts";
import { EventResponse } from "#contract/event.ts";
import { EventCursor, PageLimit } from "#contract/page.ts";

/** Below the 30 s after which proxies and game servers give up a response. */
const WAIT_S_MAX = 25;
const NAMES = [...new Set(feedTypes.flatMap((type) => [type, familyOf(type)]))];
const TYPE = `(?:${NAMES.map((name) => name.replaceAll(/[.*]/g, String.raw`\$&`)).join("|")})`;
/** Two of each name that exists. */
const TYPE_NAMES_MAX = 32;
const TYPES_FORM = `must be types of events, separated by commas: ${feedTypes.join(", ")}, or a first part with .*, such as member.*`;
export const AFTER_FORM = "must be now, or the cursor of an earlier response for this clan";
/** The end of a cursor that names an event. */
const AFTER_EVENT = /\.(evt_[\w-]{1,32})$/;
const WAIT_FORM = `must be a number of whole seconds from 0 to ${WAIT_S_MAX}`;

/** Where to begin: `from`, or after the event `past`, which comes after it. `clan`: the clan that the cursor is for. */
type Start = { clan: string | null; from: { n: number; eventId: string } | "now"; past: string | null };

export const After = z
  .string()
  .transform((text, context): Start => {
    if (text === "now") return { clan: null, from: "now", past: null };
    const [cursor = "", past = null] = text.split(AFTER_EVENT);
    const parsed = EventCursor.safeParse(cursor);
    if (parsed.success) return { clan: parsed.data.clan, from: parsed.data.position, past };
    context.addIssue({ code: "custom", message: AFTER_FORM });
    return z.NEVER;
  })
  .meta({
    description:
      "Where to read on: `now`, the `cursor` of an earlier response, or, after one event of a response, the `cursor` that was sent for it, a dot and the event's `id`. Absent: the oldest event.",
  });

const Types = z
  .string()
  .regex(new RegExp(`^${TYPE}(?:,${TYPE}){0,${TYPE_NAMES_MAX - 1}}$`), TYPES_FORM)
  .transform((text): readonly EventType[] => {
    const names = text.split(",");
    return feedTypes.filter((type) => names.includes(type) || names.includes(familyOf(type)));
  })
  .meta({ description: "Types of events, or a first part with `.*`, separated by commas. Absent: all." });

const Wait = z
  .string()
  .regex(/^\d{1,2}$/, WAIT_FORM)
  .transform(Number)
  .refine((seconds) => seconds <= WAIT_S_MAX, WAIT_FORM)
  .default(0)
  .meta({
    override: ({ jsonSchema }) =>
      void Object.assign(jsonSchema, {
        type: "integer",
        minimum: 0,
        maximum: WAIT_S_MAX,
        default: 0,
        pattern: undefined,
      }),
    description: "How many seconds to wait for an event if there is none.",
  });

export const EventsQuery = z.strictObject({
  after: After.optional(),
  types: Types.optional(),
  limit: PageLimit,
  wait: Wait,
});

export const EventsResponse = z
  .strictObject({
    events: z.array(EventResponse),
    cursor: z.string().meta({ description: "Send it as `after` to read on." }),
    hasMore: z.boolean().meta({ description: "Whether there is more to read now." }),
  })
  .meta({ id: "EventPage" });
export type EventsResponse = z.infer<typeof EventsResponse>;
