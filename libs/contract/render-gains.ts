// Converts gains to what the API and the command line return.
import type { GainsRow } from "#contract/gains.ts";
import type { MemberGainsResponse } from "#contract/member-gains.ts";
import type { Part } from "#domain/period.ts";

export function memberGainsResponse(
  platformId: string,
  { every, timeZone }: Pick<MemberGainsResponse, "every" | "timeZone">,
  gains: readonly (Part & { xp: bigint; awards: number })[],
): MemberGainsResponse {
  const shown = gains.map(({ startsAt, endsAt, xp, awards }) => {
    return { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), xp: xp.toString(), awards };
  });
  return { platformId, every, timeZone, gains: shown };
}

type ShownRow = Omit<GainsRow, "xp" | "membership" | "firstAwardAt" | "lastAwardAt" | "name"> & {
  xp: bigint;
  membership: { since: Date } | null;
  firstAwardAt: Date;
  lastAwardAt: Date;
};

/** `names`: if they were asked for. */
export function gainsRow(row: ShownRow, names: ReadonlyMap<string, string> | null = null): GainsRow {
  const { platformId, xp, awards, position, membership, firstAwardAt, lastAwardAt } = row;
  return {
    platformId,
    xp: xp.toString(),
    awards,
    position,
    membership: membership && { since: membership.since.toISOString() },
    firstAwardAt: firstAwardAt.toISOString(),
    lastAwardAt: lastAwardAt.toISOString(),
    ...(names ? { name: names.get(platformId) ?? null } : {}),
  };
}

/** What is the same on every page. */
export function gainsFacts({
  from,
  to,
  asOf,
  totals,
}: {
  from: Date;
  to: Date;
  asOf: Date;
  totals: { members: number; awards: number; xp: bigint } | null;
}) {
  const { members = 0, awards = 0, xp = 0n } = totals ?? {};
  const times = { from: from.toISOString(), to: to.toISOString(), asOf: asOf.toISOString() };
  return { ...times, totals: { members, awards, xp: xp.toString() } };
}
