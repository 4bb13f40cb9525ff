// Reads of what members gained in a span.
import type { Body, Config } from "./attempt.ts";
import { abortedError, call, pause } from "./call.ts";
import { check, checkOptions, checkPlatformId, checkText } from "./check.ts";
import { listQuery } from "./list-query.ts";
import { gainsOptions, gainsPageOptions, memberGainsOptions } from "./option-names.ts";
import { nullIfMissing } from "./read-members.ts";
import type { GainsOptions, GainsPageOptions, MemberGainsOptions } from "./types.ts";
import type { GainsPage, GainsRow, MemberGains } from "./wire.ts";
import { withQuery } from "./with-query.ts";

/** Between two questions whether a span is counted, if the service does not say it. */
const COUNTING_MS = 1_000;

/** Waits while the span is counted. Null if the member of `around` is not in the list. */
export async function readGainsPage(config: Config, options: GainsPageOptions): Promise<GainsPage | null> {
  checkOptions(options, `${gainsPageOptions} `);
  const { from, to, order, around, signal } = options;
  check(order === undefined || order === "most" || order === "least", "order must be most or least");
  const form = listQuery(options);
  const span = { from: timeText("from", from), to: timeText("to", to) };
  const path = withQuery("/gains", { ...span, order, ...form });
  const accepts = ({ members, status }: Body): boolean => Array.isArray(members) || status === "counting";
  try {
    for (;;) {
      const { body, afterMs } = await call(config, { method: "GET", path, accepts }, options);
      if (body["status"] !== "counting") return body as GainsPage;
      await pause(afterMs || COUNTING_MS, signal);
      if (signal?.aborted) throw abortedError();
    }
  } catch (error) {
    if (around === undefined) throw error;
    return nullIfMissing(error);
  }
}

/** Every member of every page, from the first one or from those above `around`. All pages are of one count. */
export function readGains(config: Config, options: GainsOptions): AsyncIterable<GainsRow> {
  return {
    async *[Symbol.asyncIterator]() {
      checkOptions(options, `${gainsOptions} `);
      let page = await readGainsPage(config, options);
      while (page) {
        yield* page.members;
        page =
          page.nextCursor === null
            ? null
            : await readGainsPage(config, { ...options, around: undefined, cursor: page.nextCursor });
      }
    },
  };
}

export async function readMemberGains(
  config: Config,
  platformId: string,
  options: MemberGainsOptions,
): Promise<MemberGains | null> {
  checkPlatformId(platformId);
  checkOptions(options, `${memberGainsOptions} `);
  const { every, from, to, timeZone } = options;
  check(every === "day" || every === "week" || every === "month", "every must be day, week or month");
  if (timeZone !== undefined) checkText("timeZone", timeZone);
  const query = { every, from: timeText("from", from), to: timeText("to", to), timeZone };
  const path = withQuery(`/members/${encodeURIComponent(platformId)}/gains`, query);
  const accepts = ({ gains }: Body): boolean => Array.isArray(gains);
  return call(config, { method: "GET", path, accepts }, options).then(({ body }) => body as MemberGains, nullIfMissing);
}

function timeText(name: string, time: unknown): string {
  const isDate = time instanceof Date;
  check(
    isDate ? !Number.isNaN(time.getTime()) : typeof time === "string",
    `${name} must be a Date, or an RFC 3339 timestamp`,
  );
  return isDate ? time.toISOString() : String(time);
}
