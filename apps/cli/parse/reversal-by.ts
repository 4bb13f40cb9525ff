// Parses a command's options into the selection of a reversal.
import { isPlatformId } from "#domain/bounds.ts";
import { ReversalBy } from "#contract/reversal.ts";
import { parse } from "#contract/parse.ts";
import { platformIdIn, timestampIn, type Faults } from "./options.ts";

export type ReversalOptions = {
  award?: string;
  member?: string;
  batch?: string;
  key?: string;
  match?: string;
  reset?: string;
  from?: string;
  to?: string;
};

const FORMS =
  "--award ID --member P, --batch ID, --key ID --from T [--to T], --match ID [--from T] [--to T], --member P --from T [--to T], or --reset ID";

export function reversalByIn(options: ReversalOptions, faults: Faults): ReversalBy {
  const { award: awardId, member: platformId, batch: batchId, key: keyId, match: matchId, reset: resetId } = options;
  const times = { from: timeIn("--from", options.from, faults), to: timeIn("--to", options.to, faults) };
  if (platformId !== undefined) platformIdIn(platformId, faults);
  const given = Object.entries({ platformId, awardId, batchId, keyId, matchId, resetId, ...times }).filter(
    ([, value]) => value !== undefined,
  );
  const parsed = parse(ReversalBy, Object.fromEntries(given));
  if (parsed.ok) return parsed.value;
  const isOrder = parsed.faults.some(({ pointer }) => pointer === "/to") && times.from !== undefined;
  if (isOrder) faults.push("--to must be later than --from");
  else if (platformId === undefined || isPlatformId(platformId)) faults.push(`Name exactly one of: ${FORMS}.`);
  return { batchId: "" };
}

function timeIn(option: string, text: string | undefined, faults: Faults): string | undefined {
  if (text === undefined) return undefined;
  const before = faults.length;
  const parsed = timestampIn(option, text, faults);
  // The digits below the millisecond remain, so that a time span may be within one.
  return text.includes(".") && faults.length === before ? text.toUpperCase() : parsed.toISOString();
}
