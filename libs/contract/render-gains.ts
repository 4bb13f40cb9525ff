// Converts gains to what the API and the command line return.
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
