// What a member gained in each part of a span, from the ledger: every acknowledged award is included.
import type { MemberRef } from "#domain/member-id.ts";
import type { Rhythm } from "#domain/board.ts";
import { partAt, partsBetween, type Part } from "#domain/period.ts";
import { GAIN_PARTS_MAX } from "#usecases/gains/bounds.ts";
import type { GainedAwards } from "#usecases/gains/ports.ts";

export type PartGains = Part & { xp: bigint; awards: number };

/** `parts`: they follow each other. Throws AppError `unavailable`. */
export type ReadMemberGains = (member: MemberRef, parts: readonly Part[]) => Promise<PartGains[]>;

/** Days, weeks from Monday, or months. Null: there are more than GAIN_PARTS_MAX. */
export function gainPartsOf(
  { every, timeZone }: { every: Rhythm["every"]; timeZone: string },
  from: Date,
  to: Date,
): Part[] | null {
  const midnight = { at: "00:00", timeZone };
  const rhythms = {
    day: { every: "day", on: null, ...midnight },
    week: { every: "week", on: "monday", ...midnight },
    month: { every: "month", on: 1, ...midnight },
  } as const;
  return partsBetween(rhythms[every], from, to, GAIN_PARTS_MAX);
}

export function makeReadMemberGains({ awards }: { awards: GainedAwards }): ReadMemberGains {
  return async (member, parts) => {
    const [from = new Date(0), to = from] = [parts[0]?.startsAt, parts.at(-1)?.endsAt];
    const span = { from, to };
    // Before the awards, so that the award of each is among them.
    const reversed = await awards.reversed(member.clanId, [member.platformId], span);
    const quarters = await awards.quarters(member, span);
    const gains = parts.map((part) => ({ ...part, xp: 0n, awards: 0 }));
    for (const { at, xp, awards: count } of quarters) {
      // The first quarter may begin before the span.
      const part = partAt(gains, at < from ? from : at);
      if (part) Object.assign(part, { xp: part.xp + xp, awards: part.awards + count });
    }
    for (const { at, applied } of reversed) {
      const part = partAt(gains, at);
      if (part) part.xp += applied;
    }
    return gains;
  };
}
