// GET /v0/clans/{clanId}/members/{platformId}/ledger.
import { AppError } from "#kernel/app-error.ts";
import { awardIdOf } from "#contract/award-id.ts";
import { encodeCursor } from "#contract/page.ts";
import { entryResponse } from "#contract/render.ts";
import { makeListEntries } from "#members/list-entries.ts";
import type { LedgerReader, MemberStore } from "#members/ports.ts";
import type { Route } from "../endpoint.ts";

export function makeReadLedgerRoute(deps: {
  members: Pick<MemberStore, "read">;
  reader: LedgerReader;
}): Route<"read-ledger"> {
  const { members, reader } = deps;
  const listEntries = makeListEntries({ reader, awardIdOf });
  return ({ principal, params, query: { limit, cursor }, inTurn }) =>
    inTurn(limit, async () => {
      const ref = { clanId: principal.clanId, platformId: params.platformId };
      const [member, page] = await Promise.all([
        members.read(ref),
        listEntries.ofMember(ref, { limit, beforeSeq: cursor?.[1] ?? null }),
      ]);
      if (!member) throw new AppError("member_not_found", "Nothing is stored for this player in this clan.");
      const entries = page.items.map(({ entry, reversedBySeq }) => entryResponse(entry, reversedBySeq));
      return {
        status: 200,
        body: { entries, nextCursor: page.next === null ? null : encodeCursor(["seq", page.next]) },
      };
    });
}
