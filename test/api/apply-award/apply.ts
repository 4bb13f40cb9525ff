// One award, with what the answer says of its change.
import { expectResponse } from "../../support/responses.ts";
import type { ClanCaller } from "../../support/clan-caller.ts";

/** The answer to an award and its change, in one object. */
export async function apply(clan: ClanCaller, platformId: string, amount: number) {
  const { change, ...answer } = expectResponse("apply-award", await clan.awardChange(platformId, { amount }));
  return { ...answer, ...change };
}
