// GET /v0/clans/{clanId}/members/{platformId}/ledger.
import { AppError } from "#domain/app-error.ts";
import { reversalKey } from "#domain/award-key.ts";
import type { Entry } from "#domain/award.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { encodeCursor } from "#contract/page.ts";
import type { LedgerStore, MemberStore } from "#usecases/members/ports.ts";
import type { Route } from "../endpoint.ts";
import { entryAnswer } from "#contract/render.ts";

/** A page's awards and the keys of their reversals. */
function reversalKeys(entries: readonly Entry[]): string[] {
  return entries.filter(({ kind }) => kind === undefined).map((entry) => reversalKeyOf(entry));
}

function reversalKeyOf(entry: Entry): string {
  return reversalKey(awardIdOf(entry));
}

export function makeReadLedgerRoute(world: { members: Pick<MemberStore, "read">; ledger: LedgerStore }): Route<"read-ledger"> {
  return async ({ principal, params, query: { limit, cursor } }) => {
    const ref = { clanId: principal.clanId, platformId: params.platformId };
    const [member, page] = await Promise.all([
      world.members.read(ref),
      world.ledger.listOfMember(ref, { limit, beforeSeq: cursor?.[1] ?? null }),
    ]);
    if (!member) throw new AppError("member_not_found", "Nothing is stored for this player in this clan.");
    const reversals = await world.ledger.findByKeys(ref, reversalKeys(page.items));
    const entries = page.items.map((entry) => entryAnswer(entry, reversals.get(reversalKeyOf(entry))));
    return { status: 200, body: { entries, nextCursor: page.next === null ? null : encodeCursor(["seq", page.next]) } };
  };
}
