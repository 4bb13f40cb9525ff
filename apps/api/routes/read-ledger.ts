// GET /v0/clans/{clanId}/members/{platformId}/ledger.
import { AppError } from "#domain/app-error.ts";
import { encodeCursor } from "#contract/page.ts";
import type { LedgerStore, MemberStore } from "#usecases/members/ports.ts";
import type { Route } from "../endpoint.ts";
import { entryAnswer } from "#contract/render.ts";

export function makeReadLedgerRoute(world: { members: Pick<MemberStore, "read">; ledger: LedgerStore }): Route<"read-ledger"> {
  return async ({ principal, params, query: { limit, cursor } }) => {
    const ref = { clanId: principal.clanId, platformId: params.platformId };
    const [member, page] = await Promise.all([
      world.members.read(ref),
      world.ledger.listOfMember(ref, { limit, beforeSeq: cursor?.[1] ?? null }),
    ]);
    if (!member) throw new AppError("member_not_found", "Nothing is stored for this player in this clan.");
    return {
      status: 200,
      body: { entries: page.items.map(entryAnswer), nextCursor: page.next === null ? null : encodeCursor(["seq", page.next]) },
    };
  };
}
