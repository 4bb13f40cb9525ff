// GET /v0/clans/{clanId}/members/{platformId}/gains: what a member gained in each part of a span.
import { AppError } from "#kernel/app-error.ts";
import { timestampOf } from "#domain/timestamp.ts";
import { memberGainsResponse } from "#contract/render-gains.ts";
import { GAIN_PARTS_MAX } from "#gains/bounds.ts";
import { gainPartsOf, type ReadMemberGains } from "#gains/read-member-gains.ts";
import type { MemberStore } from "#members/ports.ts";
import type { Route } from "../endpoint.ts";

export function makeReadMemberGainsRoute({
  members,
  readMemberGains,
}: {
  members: Pick<MemberStore, "read">;
  readMemberGains: ReadMemberGains;
}): Route<"read-member-gains"> {
  return ({ principal: { clanId }, params: { platformId }, query, inTurn }) =>
    inTurn(GAIN_PARTS_MAX, async () => {
      const [from, to] = [timestampOf(query.from), timestampOf(query.to)];
      const parts = gainPartsOf(query, from, to);
      if (!parts)
        throw new AppError(
          "invalid_request",
          `The query parameter "every" divides the span into more than ${GAIN_PARTS_MAX} parts.`,
        );
      const ref = { clanId, platformId };
      if (!(await members.read(ref)))
        throw new AppError("member_not_found", "Nothing is stored for this player in this clan.");
      return { status: 200, body: memberGainsResponse(platformId, query, await readMemberGains(ref, parts)) };
    });
}
