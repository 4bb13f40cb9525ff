// What a member gained in each part of a span, from the ledger: every acknowledged award is included.
import type { MemberRef } from "#domain/member-id.ts";
import type { Rhythm } from "#domain/board.ts";
import type { GainPart } from "#domain/gains.ts";
import { boundariesAround, partAt, partsBetween, type Part } from "#domain/period.ts";
import { GAIN_PARTS_MAX } from "#gains/bounds.ts";
import type { GainedAwards, GainSpan } from "#gains/ports.ts";

type Division = { every: GainPart; timeZone: string };
export type PartGains = Part & { xp: bigint; awards: number };

/** `parts`: they follow each other. Throws AppError `unavailable`. */
export type ReadMemberGains = (member: MemberRef, parts: readonly Part[]) => Promise<PartGains[]>;

/** Days, weeks from Monday, or months. Null: there are more than GAIN_PARTS_MAX. */
export function gainPartsOf(division: Division, from: Date, to: Date): Part[] | null {
  return partsBetween(rhythmOf(division), from, to, GAIN_PARTS_MAX);
}

/** The beginning of the part that contains `from`, and the end of the one that contains `to`. */
export function wholePartsAround(division: Division, from: Date, to: Date): GainSpan {
  const rhythm = rhythmOf(division);
  return { from: boundariesAround(rhythm, from).last, to: boundariesAround(rhythm, to).next };
}

function rhythmOf({ every, timeZone }: Division): Rhythm {
  const midnight = { at: "00:00", timeZone };
  switch (every) {
    case "day":
      return { every, on: null, ...midnight };
    case "week":
      return { every, on: "monday", ...midnight };
    case "month":
      return { every, on: 1, ...midnight };
  }
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
