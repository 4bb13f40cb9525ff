// Events: one page, or all of them for ever.
import type { Body, Config } from "./attempt.ts";
import { backoffMs } from "./backoff-ms.ts";
import { abortedError, call, callSettings, pause } from "./call.ts";
import { check, checkInteger, checkOptions, checkText } from "./check.ts";
import { eventPageOptions, eventsOptions } from "./option-names.ts";
import type { CallOptions, ClanEvent, EventPageOptions, EventsOptions } from "./types.ts";
import { withQuery } from "./with-query.ts";
import type { EventPage } from "./wire.ts";

const WAIT_S_MAX = 25;
const LIMIT_MAX = 200;
/** The end of a cursor that names an event of a page. */
const AFTER_EVENT = /\..*$/;

/** Invalid arguments reject it. The time to wait is added to the limits of an attempt and of the call. */
export async function readEventPage(config: Config, options: EventPageOptions & CallOptions): Promise<EventPage> {
  checkOptions(options, `${eventPageOptions} `);
  const { after, types, limit, waitS } = options;
  if (after !== undefined) checkText("after", after);
  check(
    types === undefined || (Array.isArray(types) && types.length > 0 && types.every(isTypeName)),
    "types must be an array of types of events",
  );
  if (limit !== undefined) checkInteger("limit", limit, 1, LIMIT_MAX);
  if (waitS !== undefined) checkInteger("waitS", waitS, 0, WAIT_S_MAX);
  const { timeoutMs, deadlineMs } = callSettings(config, options);
  const waitMs = (waitS ?? 0) * 1000;
  const patient = { ...options, timeoutMs: timeoutMs + waitMs, deadlineMs: deadlineMs + waitMs };
  const path = withQuery("/events", { after, types: types?.join(), limit, wait: waitS });
  const { body } = await call(config, { method: "GET", path, accepts: isPage }, patient);
  return body as EventPage;
}

/** Never ends by itself. It throws what no retry helps against, and invalid arguments in its first step. */
export function followEvents(config: Config, options: EventsOptions & CallOptions): AsyncIterable<ClanEvent> {
  return {
    async *[Symbol.asyncIterator]() {
      checkOptions(options, `${eventsOptions} `);
      const { signal, waitS = WAIT_S_MAX, retries = Infinity, deadlineMs = Infinity } = options;
      checkInteger("waitS", waitS, 1, WAIT_S_MAX);
      let { after } = options;
      // How many answers in a row came before the time, and without an event.
      for (let early = 0; ;) {
        const began = performance.now();
        // Whole cursors name the place of the next page: the first page has one event if there is none yet.
        const first = after === undefined || AFTER_EVENT.test(after) ? { limit: 1 } : {};
        const page = await readEventPage(config, { ...options, ...first, after, waitS, retries, deadlineMs });
        for (const [index, event] of page.events.entries()) {
          if (signal?.aborted) throw abortedError();
          const isLast = index === page.events.length - 1;
          yield { ...event, cursor: isLast ? page.cursor : `${after ?? ""}.${event.id}` };
        }
        after = page.cursor;
        const isEarly = page.events.length === 0 && !page.hasMore && performance.now() - began < waitS * 900;
        early = isEarly ? early + 1 : 0;
        // The API has too many waiting calls, or is about to stop. The first answer to `now` is early, too.
        if (early > 1) await pause(backoffMs(early - 1), signal);
      }
    },
  };
}

const isPage = ({ events, cursor, hasMore }: Body): boolean =>
  Array.isArray(events) && typeof cursor === "string" && typeof hasMore === "boolean";

const isTypeName = (type: unknown): boolean => typeof type === "string" && /^[\w.*]+$/.test(type);
