// Reads of what members gained in a span.
import type { Body, Config } from "./attempt.ts";
import { call } from "./call.ts";
import { check, checkOptions, checkPlatformId, checkText } from "./check.ts";
import { memberGainsOptions } from "./option-names.ts";
import { nullIfMissing } from "./read-members.ts";
import type { MemberGainsOptions } from "./types.ts";
import type { MemberGains } from "./wire.ts";
import { withQuery } from "./with-query.ts";

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
